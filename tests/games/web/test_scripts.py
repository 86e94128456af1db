"""Tests of the imports between scripts, which must allow file names with content hashes."""

import re
from graphlib import TopologicalSorter
from pathlib import Path

import games.web

STATIC = Path(games.web.__file__).with_name("static")
_IMPORTED = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.[^"']+\.js)["']""")


def test_scripts_have_no_circular_imports() -> None:
    scripts = {
        path: {(path.parent / name).resolve() for name in _IMPORTED.findall(path.read_text("utf-8"))}
        for path in STATIC.resolve().rglob("*.js")
    }
    assert sum(map(len, scripts.values())) > len(scripts)
    in_order = list(TopologicalSorter(scripts).static_order())  # raises CycleError
    assert set(in_order) == set(scripts)
