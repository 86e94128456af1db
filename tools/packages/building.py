"""Build staged packages: wheels and source distributions whose bytes depend on the sources only."""

import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Final

from tools.packages.staging import source_date

_FILE: Final = 0o644
_FOLDER: Final = 0o755
_BACKEND: Final = "import sys, setuptools.build_meta as backend; backend.build_{what}(sys.argv[1])"


class BuildError(Exception):
    """Raised if a package cannot be built; the message is the output of the command that failed."""


def build_wheel(stage: Path, output: Path, python: str = sys.executable) -> Path:
    """Build the pure wheel of a staged project."""
    return _build("wheel", stage, output, python)


def build_compiled_wheel(stage: Path, output: Path, python: str = sys.executable) -> Path:
    """Build the wheel for this Python and platform; `python` needs setuptools and mypy[mypyc]."""
    return _build("wheel", stage, output, python, HAGGIS_ENGINE_COMPILED="1")


def build_sdist(stage: Path, output: Path) -> Path:
    """Build the source distribution, with the same time, owner and order on every machine."""
    archive = _build("sdist", stage, output, sys.executable)
    _normalize(archive, int(source_date()))
    return archive


def build_npm_package(stage: Path, output: Path) -> Path:
    """Pack the TypeScript client; npm gives all files the same time by itself."""
    output.mkdir(parents=True, exist_ok=True)
    command = ["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", str(output)]
    return output / run(command, stage).strip().splitlines()[-1]


def run(command: list[str], folder: Path, **environment: str) -> str:
    """Run a command and return its output; raise `BuildError` with all of it if the command fails."""
    done = subprocess.run(
        command, cwd=folder, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BuildError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def _build(what: str, stage: Path, output: Path, python: str, **environment: str) -> Path:
    """Call the build backend in a fresh folder, so that no build finds what another left behind."""
    output.mkdir(parents=True, exist_ok=True)
    for left in [stage / "build", *stage.glob("*.egg-info")]:
        shutil.rmtree(left, ignore_errors=True)
    before = set(output.iterdir())
    environment = {
        "SOURCE_DATE_EPOCH": source_date(),
        "PYTHONHASHSEED": "0",
        # Compilers must not write the folder of the build into their output.
        "CFLAGS": f"-g0 -ffile-prefix-map={stage.resolve()}=. {os.environ.get('CFLAGS', '')}".strip(),
        **environment,
    }
    run([python, "-c", _BACKEND.format(what=what), str(output.resolve())], stage, **environment)
    suffix = ".whl" if what == "wheel" else ".tar.gz"
    built = [path for path in set(output.iterdir()) - before if path.name.endswith(suffix)]
    if len(built) != 1:
        raise BuildError(f"{stage.name}: {what} built {len(built)} files; remove older ones from {output}.")
    return built[0]


def _normalize(archive: Path, date: int) -> None:
    """Write an archive again without the times, owners and permissions of this machine."""
    plain = io.BytesIO()
    with (
        tarfile.open(archive) as read,
        tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as written,
    ):
        for member in sorted(read.getmembers(), key=lambda each: each.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = date, 0, 0, "", ""
            member.mode = _FOLDER if member.isdir() else _FILE
            member.pax_headers = {}
            written.addfile(member, read.extractfile(member) if member.isfile() else None)
    archive.write_bytes(gzip.compress(plain.getvalue(), mtime=0))
