"""The scripts of the pages, as files: each can be named by a hash of what it holds."""

import re
from graphlib import TopologicalSorter
from pathlib import Path

import games.web

STATIC = Path(games.web.__file__).with_name("static")
_IMPORTED = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.[^"']+\.js)["']""")


def test_no_script_imports_itself_by_way_of_others() -> None:
    scripts = {
        path: {(path.parent / name).resolve() for name in _IMPORTED.findall(path.read_text("utf-8"))}
        for path in STATIC.resolve().rglob("*.js")
    }
    assert sum(map(len, scripts.values())) > len(scripts)
    in_order = list(
        TopologicalSorter(scripts).static_order()
    )  # raises and names them where two need each other
    assert set(in_order) == set(scripts)
