"""Compile the core of the engine with mypyc, in place, or go back to the plain one.

    python tools/compile_engine.py build
    python tools/compile_engine.py clean

The modules are those that `[tool.haggis] compiled` in pyproject.toml lists. A name there that is no module is
an error. What was compiled from is noted beside the build, and `engine._build_guard` holds the sources to it.
"""

import argparse
import ast
import importlib.util
import json
import os
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Final

BUILD: Final = Path("build", "mypyc")
SUFFIX: Final = sysconfig.get_config_var("EXT_SUFFIX")


class CompilationError(Exception):
    """What stands in the way, for whoever asked."""


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description="Compile the engine in place, or remove what was compiled.")
    parser.add_argument("command", choices=("build", "clean"))
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    arguments = parser.parse_args()
    os.chdir(arguments.root)
    try:
        clean()
        if arguments.command == "build":
            print(f"Compiled {', '.join(map(str, build()))}.")
    except CompilationError as error:
        print(f"The engine was not compiled: {error}", file=sys.stderr)
        return 1
    return 0


def clean() -> None:
    """Remove the compiled engine, and last of all the note of what it was compiled from."""
    for compiled in [*Path("engine").rglob("*.so"), *Path("engine").rglob("*.pyd")]:
        compiled.unlink()
    manifest_path().unlink(missing_ok=True)


def build() -> list[Path]:
    """Compile what pyproject.toml lists. The note is there before the first compiled file is."""
    modules = listed_modules()
    sources = sorted(with_dependencies(modules))
    manifest = manifest_of(sources)
    manifest_path().write_text(manifest, encoding="utf-8")
    try:
        compile_modules(modules)
        check_all_compiled(modules)
        check_unchanged(sources, manifest)
    except CompilationError:
        clean()
        raise
    return modules


def listed_modules() -> list[Path]:
    """The source files that the list names.

    `package.*` stands for every module of a package, and for those of the packages within it.
    """
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
    return sorted({path for name in project["tool"]["haggis"]["compiled"] for path in _modules_named(name)})


def _modules_named(name: str) -> list[Path]:
    if name.endswith(".*"):
        package = Path(*name.split(".")[:-1])
        paths = [path for path in package.rglob("*.py") if path.name != "__init__.py"]
    else:
        paths = [path for path in [Path(*name.split(".")).with_suffix(".py")] if path.exists()]
    if not paths:
        raise CompilationError(f"there is no module {name}, which pyproject.toml lists.")
    return paths


def with_dependencies(modules: Iterable[Path]) -> set[Path]:
    """These modules and all of the engine that they lean on.

    A compiled module has the constants of the plain modules that it imports built in: an edit there makes it
    stale too.
    """
    seen: set[Path] = set()
    pending = list(modules)
    while pending:
        path = pending.pop()
        if path not in seen:
            seen.add(path)
            pending.extend(imported_by(path))
    return seen


def imported_by(path: Path) -> Iterator[Path]:
    """The files of the engine that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from _files(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from _files(f"{node.module}.{alias.name}" for alias in node.names)


def _files(names: Iterable[str]) -> Iterator[Path]:
    for name in names:
        place = Path(*name.split("."))
        if place.parts[0] == "engine":
            steps = [step for step in (place, *place.parents) if step.name]
            choices = [path for step in steps for path in (step.with_suffix(".py"), step / "__init__.py")]
            yield from (path for path in choices if path.exists())


def manifest_path() -> Path:
    """Where the engine's guard looks for what the build was made from."""
    return Path("engine", guard().MANIFEST)


def manifest_of(sources: Iterable[Path]) -> str:
    """What the guard compares the sources with."""
    digests = {str(path.relative_to("engine")): guard().digest(path) for path in sources}
    return json.dumps({"suffix": SUFFIX, "sources": digests}, indent=1)


def guard() -> ModuleType:
    """The guard of the engine, loaded without the engine, which may refuse to be imported just now."""
    place = Path(__file__).resolve().parent.parent / "engine" / "_build_guard.py"
    spec = importlib.util.spec_from_file_location("build_guard", place)
    if spec is None or spec.loader is None:
        raise CompilationError(f"{place} cannot be loaded.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compile_modules(modules: Iterable[Path]) -> None:
    """Let mypyc write C and the C compiler compile it, beside the sources."""
    command = [sys.executable, "-c", _SETUP, str(BUILD), *map(str, modules)]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode:
        raise CompilationError(f"\n{finished.stdout}{finished.stderr}")


# Run in a process of its own: setuptools takes its arguments, and mypyc ends the process at the first fault.
# The shared part of all modules is a module of the engine too, so that nothing is left outside its folder.
_SETUP: Final = """
import sys
from mypyc.build import mypycify
from setuptools import setup
target, *modules = sys.argv[1:]
extensions = mypycify(
    ["--config-file=", "--strict", *modules], opt_level="3", group_name="engine._compiled", target_dir=target
)
sys.argv[1:] = ["--quiet", "build_ext", "--inplace", "--build-temp", target]
setup(name="haggis-engine", packages=[], ext_modules=extensions)
"""


def check_all_compiled(modules: Iterable[Path]) -> None:
    """A listed module that has no compiled file beside it would be slow without a word."""
    if missing := [str(path) for path in modules if not path.with_suffix(SUFFIX).exists()]:
        raise CompilationError(f"no compiled file came out for {', '.join(missing)}.")


def check_unchanged(sources: Iterable[Path], manifest: str) -> None:
    """What was edited while the compiler ran may be in the build or not."""
    if manifest_of(sources) != manifest:
        raise CompilationError("its source was edited meanwhile.")


if __name__ == "__main__":
    sys.exit(main())
