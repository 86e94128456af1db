"""Build every package to publish into build/packages: `make packages`.

    python -m tools.packages                        all of them, the engine compiled for this Python
    python -m tools.packages --python python3.12    another compiled wheel; may be repeated
    python -m tools.packages --only engine server   some of them
    python -m tools.packages --no-compiled          pure wheels only

A compiled wheel for another Python is built in an environment with mypyc that this program creates.
"""

import argparse
import hashlib
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tools.build_clients import build_typescript, check_python, generate_python
from tools.packages import building, staging

OUTPUT: Final = staging.ROOT / "build" / "packages"
PACKAGES: Final = ("engine", "server", "client", "npm")
COMPILER: Final = ("setuptools>=77", "mypy[mypyc]>=1.17")


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=PACKAGES, default=PACKAGES)
    parser.add_argument(
        "--python", action="append", default=[], help="compile the engine for this Python too"
    )
    parser.add_argument("--no-compiled", action="store_true", help="build no compiled wheels")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    pythons = [] if options.no_compiled else [sys.executable, *options.python]
    shutil.rmtree(options.output, ignore_errors=True)
    try:
        for path in build(options.only, options.output.resolve(), pythons):
            print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}")
    except building.BuildError as error:
        print(f"The packages were not built: {error}", file=sys.stderr)
        return 1
    return 0


def build(packages: Sequence[str], output: Path, pythons: list[str]) -> Iterator[Path]:
    """Build packages into a folder and yield their files; compile the engine for these Pythons."""
    with tempfile.TemporaryDirectory() as folder:
        stages = Path(folder)
        if "engine" in packages:
            yield from build_engine(stages, output, pythons)
        if "server" in packages:
            staging.stage_server(stages / "server")
            yield from build_both(stages / "server", output)
        if "client" in packages:
            generate_python()
            check_python()
            staging.stage_client(stages / "client")
            yield from build_both(stages / "client", output)
        if "npm" in packages:
            build_typescript()
            staging.stage_npm(stages / "npm")
            yield building.build_npm_package(stages / "npm", output)


def build_engine(stages: Path, output: Path, pythons: list[str]) -> Iterator[Path]:
    """Build the engine: its sources, the pure wheel, and a compiled wheel for each of these Pythons."""
    stage = stages / "engine"
    staging.stage_engine(stage)
    yield from build_both(stage, output)
    for python in pythons:
        compiler = python if python == sys.executable else create_compiler(python, stages)
        yield building.build_compiled_wheel(stage, output, compiler)


def build_both(stage: Path, output: Path) -> Iterator[Path]:
    """Build the source distribution and the pure wheel."""
    yield building.build_sdist(stage, output)
    yield building.build_wheel(stage, output)


def create_compiler(python: str, stages: Path) -> str:
    """Create an environment in which this Python can compile the engine; return its interpreter."""
    place = stages / f"compiler-{len(list(stages.glob('compiler-*')))}"
    building.run([python, "-m", "venv", str(place)], stages)
    interpreter = str(place / "bin" / "python")
    building.run([interpreter, "-m", "pip", "install", "--quiet", *COMPILER], stages)
    return interpreter


if __name__ == "__main__":
    sys.exit(main())
