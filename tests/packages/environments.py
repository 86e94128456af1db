"""Empty environments in which the built packages are installed, and the Pythons for them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

SUPPORTED: Final = ((3, 11), (3, 12), (3, 13))
SECONDS: Final = 600
# `all` installs the packages for every supported Python on this machine, which .ci/run does.
PYTHONS: Final = "HAGGIS_PACKAGE_PYTHONS"


def pythons() -> list[str]:
    """Return the interpreters to test with: this one, or one of each supported version."""
    if os.environ.get(PYTHONS) != "all":
        return [sys.executable]
    found = {sys.version_info[:2]: sys.executable}
    for version in SUPPORTED:
        name = f"python{version[0]}.{version[1]}"
        folders = sorted(Path.home().glob(f".pyenv/versions/{version[0]}.{version[1]}.*/bin"), reverse=True)
        candidates = [str(folder / "python") for folder in folders] + [shutil.which(name) or ""]
        runnable = [each for each in candidates if each and _runs(each)]
        if version not in found and runnable:
            found[version] = runnable[0]
    return [found[version] for version in sorted(found) if version in SUPPORTED]


def create_environment(python: str, place: Path) -> str:
    """Create an empty environment; return its interpreter."""
    run([python, "-m", "venv", "--clear", str(place)])
    return str(place / "bin" / "python")


def install(python: str, folder: Path, *packages: str) -> None:
    """Install packages from a folder, and what they need from the index that pip is configured to use."""
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "--find-links", str(folder), *packages])


def run(command: list[str], folder: Path | None = None, **environment: str) -> str:
    """Run a command that does not see this checkout; return its output."""
    passed_on = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "DJANGO", "HAGGIS"))
    }
    done = subprocess.run(
        command,
        cwd=folder,
        env=passed_on | environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout.strip()


def _runs(python: str) -> bool:
    return subprocess.run([python, "-c", "import venv"], capture_output=True, check=False).returncode == 0
