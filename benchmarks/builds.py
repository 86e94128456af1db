"""Two builds of the engine, plain and compiled, in temporary copies of the sources.

The working tree stays untouched, and the plain build is plain even if the working tree is compiled.
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
    """Create the builds; yield their folders by name."""
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
    """Compile with the project's own tool, which needs mypy and a C compiler."""
    run_in(tree, "tools.compile_engine", "build", "--root", str(tree))


def run_in(tree: Path, module: str, *arguments: str) -> str:
    """Run a module in a subprocess on the engine of a folder; return its output."""
    command = [sys.executable, "-m", module, *arguments]
    # All commands are constants of these modules.
    completed = subprocess.run(  # noqa: S603
        command, cwd=tree, check=False, capture_output=True, text=True
    )
    if completed.returncode:
        raise RuntimeError(f"{' '.join(command)} failed in {tree}:\n{completed.stdout}{completed.stderr}")
    return completed.stdout
