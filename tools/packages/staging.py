"""Copy the sources of a package into a folder that can be built, with the names that the package installs.

In the tree the engine is the top-level package `engine`, a name that no package should take in the
environments of others. The package installs it as `haggis_engine`, so every import is rewritten while it is
copied.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from engine.version import VERSION

ROOT: Final = Path(__file__).resolve().parent.parent.parent
SOURCES: Final = ROOT / "packages"

ENGINE: Final = "engine"
ENGINE_INSTALLED: Final = "haggis_engine"
# A dotted name that begins with the package, in an import, a docstring or a command: engine.records.replay.
_DOTTED: Final = re.compile(rf"(?<![\w./-]){ENGINE}(?=\.[a-z_])")
_LINE_OF_REQUIREMENT: Final = re.compile(r"^(?P<requirement>[A-Za-z0-9][^#]*)", re.MULTILINE)
_IGNORED: Final = frozenset({"__pycache__", "_compiled.json"})
_MODE: Final = 0o644


def rewrite(source: str) -> str:
    """Return the source with the engine under the name that the package installs.

    >>> rewrite("from engine.rounds.apply import apply  # see engine.rounds and build/engine.log")
    'from haggis_engine.rounds.apply import apply  # see haggis_engine.rounds and build/engine.log'
    """
    return _DOTTED.sub(ENGINE_INSTALLED, source)


def stage_engine(target: Path) -> None:
    """Stage haggis-engine."""
    _stage_project("engine", target)
    copy_sources(ROOT / ENGINE, target / ENGINE_INSTALLED)
    _write(target / "requirements.txt", "")
    numpy = [line for line in requirements("requirements.in") if line.startswith("numpy")]
    _write(target / "requirements-ai.txt", "\n".join(numpy))
    _write(target / "requirements-rl.txt", "\n".join([*numpy, *requirements("requirements-rl.in")]))
    _write(target / "compiled.txt", "\n".join(compiled_modules()))
    _write(target / "MANIFEST.in", "include VERSION compiled.txt requirements*.txt")


def stage_server(target: Path) -> None:
    """Stage haggis-server, which installs the same version of haggis-engine."""
    _stage_project("server", target)
    copy_sources(SOURCES / "server" / "haggis_server", target / "haggis_server")
    for package in ("games", "haggis_service"):
        copy_sources(ROOT / package, target / package)
    _write(target / "haggis_server" / "manage.py", (ROOT / "manage.py").read_text(encoding="utf-8"))
    build_documentation(target / "haggis_service" / "docs")
    needed = [f"haggis-engine[ai]=={VERSION}", *requirements("requirements.in")]
    _write(target / "requirements.txt", "\n".join(needed))
    _write(target / "requirements-push.txt", "\n".join(requirements("requirements-push.in")))
    _write(target / "requirements-parquet.txt", "\n".join(requirements("requirements-parquet.in")))
    _write(target / "MANIFEST.in", "include VERSION requirements*.txt\ngraft games\ngraft haggis_service")


def build_documentation(target: Path) -> None:
    """Build the documentation that the service shows at /docs/."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(target)]
    environment = {"NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": source_date()}
    subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=True)
    for path in target.rglob("*"):
        if path.is_file():
            path.chmod(_MODE)


def stage_client(target: Path) -> None:
    """Stage the Python client, which must have been generated."""
    copy_sources(ROOT / "clients" / "python", target)
    shutil.copyfile(ROOT / "LICENSE", target / "LICENSE")


def stage_npm(target: Path) -> None:
    """Stage the TypeScript client, which must have been compiled."""
    client = ROOT / "clients" / "typescript"
    for name in ("package.json", "README.md"):
        _write(target / name, (client / name).read_text(encoding="utf-8"))
    shutil.copyfile(ROOT / "LICENSE", target / "LICENSE")
    for path in sorted((client / "dist").glob("*")):
        if path.name.startswith("play."):  # the example
            continue
        _write(target / "dist" / path.name, path.read_text(encoding="utf-8"))


def requirements(name: str) -> list[str]:
    """Return the requirements in a file of the tree, without comments and included files.

    >>> requirements("requirements.in")[0]
    'Django>=5.2,<5.3'
    """
    lines = _LINE_OF_REQUIREMENT.finditer((ROOT / name).read_text(encoding="utf-8"))
    return [line["requirement"].strip() for line in lines]


def compiled_modules() -> list[str]:
    """Return the modules that a compiled engine compiles, as files of the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: set[Path] = set()
    for name in project["tool"]["haggis"]["compiled"]:
        place = ROOT.joinpath(*name.removesuffix(".*").split("."))
        every = place.rglob("*.py") if name.endswith(".*") else [place.with_suffix(".py")]
        found.update(path for path in every if path.name != "__init__.py")
    return [f"{ENGINE_INSTALLED}/{path.relative_to(ROOT / ENGINE).as_posix()}" for path in sorted(found)]


def copy_sources(source: Path, target: Path) -> None:
    """Copy a folder, rewriting Python modules; the result is the same on every machine."""
    for path in sources_in(source):
        place = target / path.relative_to(source)
        if path.suffix == ".py":
            _write(place, rewrite(path.read_text(encoding="utf-8")))
        else:
            _write(place, path.read_bytes())


def sources_in(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder in a fixed order, without those that Python and compilers leave there."""
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        left_there = any(part in _IGNORED or part.endswith(".egg-info") or part == "build" for part in parts)
        if path.is_file() and not left_there and path.suffix not in {".pyc", ".so", ".pyd"}:
            yield path


def source_date() -> str:
    """Return the time stamp of every file in the packages: SOURCE_DATE_EPOCH, or the last commit."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return given
    command = ["git", "log", "-1", "--format=%ct"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    # The first moment that a ZIP archive can hold, 1 January 1980, and a day for every time zone.
    return done.stdout.strip() or "315619200"


def _stage_project(name: str, target: Path) -> None:
    for path in sorted((SOURCES / name).glob("*.*")):
        if path.is_file():
            _write(target / path.name, path.read_text(encoding="utf-8"))
    shutil.copyfile(ROOT / "LICENSE", target / "LICENSE")
    _write(target / "VERSION", VERSION)


def _write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    path.chmod(_MODE)
