"""Compile the core of the engine in place with mypyc, or remove the compiled files.

    python tools/compile_engine.py build
    python tools/compile_engine.py clean

`[tool.haggis] compiled` in pyproject.toml lists the modules; a name without a module is an error. A manifest
beside the build records the digests of the sources, and `engine._build_guard` refuses to import a stale
build.
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
    """Raised if the engine cannot be compiled; the message says why."""


def main() -> int:
    """Run the command line."""
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
    """Remove the compiled files, and the manifest last."""
    for compiled in [*Path("engine").rglob("*.so"), *Path("engine").rglob("*.pyd")]:
        compiled.unlink()
    manifest_path().unlink(missing_ok=True)


def build() -> list[Path]:
    """Compile the listed modules. The manifest is written before the first compiled file."""
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
    """Return the source files of the listed modules.

    `package.*` stands for all modules of a package and of the packages inside it.
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
    """Return these modules and all modules of the engine that they import.

    A compiled module inlines constants of imported modules, so an edit there makes it stale, too.
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
    """Yield the files of the engine that a module imports."""
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
    """Return the file in which the engine's guard looks for the digests."""
    return Path("engine", guard().MANIFEST)


def manifest_of(sources: Iterable[Path]) -> str:
    """Return the digests of the sources as the guard expects them."""
    digests = {str(path.relative_to("engine")): guard().digest(path) for path in sources}
    return json.dumps({"suffix": SUFFIX, "sources": digests}, indent=1)


def guard() -> ModuleType:
    """Load the guard without importing the engine, which may refuse to be imported at this point."""
    place = Path(__file__).resolve().parent.parent / "engine" / "_build_guard.py"
    spec = importlib.util.spec_from_file_location("build_guard", place)
    if spec is None or spec.loader is None:
        raise CompilationError(f"{place} cannot be loaded.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compile_modules(modules: Iterable[Path]) -> None:
    """Compile the modules with mypyc and the C compiler, beside the sources."""
    command = [sys.executable, "-c", _SETUP, str(BUILD), *map(str, modules)]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode:
        raise CompilationError(f"\n{finished.stdout}{finished.stderr}")


# Runs in a subprocess, because setuptools reads sys.argv and mypyc exits at the first error. The shared
# library of all modules is a module of the engine, so that no file is left outside its folder.
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
    """Raise an error if a listed module has no compiled file: it would silently run slowly."""
    if missing := [str(path) for path in modules if not path.with_suffix(SUFFIX).exists()]:
        raise CompilationError(f"no compiled file came out for {', '.join(missing)}.")


def check_unchanged(sources: Iterable[Path], manifest: str) -> None:
    """Raise an error if a source was edited during the compilation."""
    if manifest_of(sources) != manifest:
        raise CompilationError("its source was edited meanwhile.")


if __name__ == "__main__":
    sys.exit(main())
