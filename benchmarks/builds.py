"""The engine in two builds, plain and compiled: each a copy of the sources in a folder of its own.

So the tree that is worked on stays as it is, and what is called plain is plain whatever was compiled there.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
_SOURCES: Final = ("engine", "tools", "benchmarks", "tests/engine/brute_force.py", "pyproject.toml")
_NOT_SOURCES: Final = shutil.ignore_patterns(
    "*.so", "*.pyd", "_compiled.json", "__pycache__", "results.jsonl"
)


@contextmanager
def builds(*, compiled: bool) -> Iterator[dict[str, Path]]:
    """The folders of the builds by name: plain, and compiled if that is wanted."""
    with TemporaryDirectory(prefix="haggis-builds-") as folder:
        trees = {"plain": Path(folder, "plain")}
        _copy(trees["plain"])
        if compiled:
            trees["compiled"] = Path(folder, "compiled")
            _copy(trees["compiled"])
            _compile(trees["compiled"])
        yield trees


def _copy(tree: Path) -> None:
    for name in _SOURCES:
        source, target = ROOT / name, tree / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=_NOT_SOURCES)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)


def _compile(tree: Path) -> None:
    """Compile with the project's own build, which needs mypy and a C compiler."""
    run_in(tree, "tools.compile_engine", "build", "--root", str(tree))


def run_in(tree: Path, module: str, *arguments: str) -> str:
    """What a module prints when it is run on the engine of a folder, in a process of its own."""
    command = [sys.executable, "-m", module, *arguments]
    # The command is written in these modules: nothing of it comes from elsewhere.
    completed = subprocess.run(  # noqa: S603
        command, cwd=tree, check=False, capture_output=True, text=True
    )
    if completed.returncode:
        raise RuntimeError(f"{' '.join(command)} failed in {tree}:\n{completed.stdout}{completed.stderr}")
    return completed.stdout
