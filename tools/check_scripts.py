"""Lint and format the scripts of the web pages with Biome: `make check` and `make format`.

    python -m tools.check_scripts [--write]

Biome is installed with npm on first use. If that is not possible, the check is skipped with a message, unless
HAGGIS_REQUIRE lists node.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "tools" / "javascript"
PROGRAM: Final = FOLDER / "node_modules" / ".bin" / "biome"
SCRIPTS: Final = ("games/web/static", "tests/games/web/js")


def main(arguments: list[str] | None = None) -> int:
    """Check the scripts, or fix them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="fix what can be fixed")
    options = parser.parse_args(arguments)
    if not _install_biome():
        print(
            "The scripts of the web pages were not checked: Biome is not installed and npm cannot install it."
        )
        return 1 if "node" in os.environ.get("HAGGIS_REQUIRE", "").split(",") else 0
    mode = ["--write"] if options.write else []
    command = [str(PROGRAM), "check", *mode, f"--config-path={FOLDER}", *SCRIPTS]
    return subprocess.run(command, cwd=ROOT, env=os.environ | {"NO_COLOR": "1"}, check=False).returncode


def _install_biome() -> bool:
    """Return whether Biome works; install it first if needed."""
    npm = shutil.which("npm")
    if npm is None:
        return False
    if _is_outdated():
        # Not `npm ci`: Biome has a package per platform, and `npm ci` needs a lock with all of them, even
        # those that a registry does not provide.
        quiet = ("--no-audit", "--no-fund", "--loglevel", "error")
        install = [npm, "install", "--no-save", "--ignore-scripts", *quiet]
        if subprocess.run(install, cwd=FOLDER, check=False, stdout=subprocess.DEVNULL).returncode:
            return False
    return subprocess.run([str(PROGRAM), "--version"], check=False, capture_output=True).returncode == 0


def _is_outdated() -> bool:
    """Return whether the installed packages are missing or older than the lock."""
    installed = FOLDER / "node_modules" / ".package-lock.json"
    return (
        not installed.exists() or installed.stat().st_mtime < (FOLDER / "package-lock.json").stat().st_mtime
    )


if __name__ == "__main__":
    sys.exit(main())
