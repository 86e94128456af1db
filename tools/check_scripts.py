"""The scripts of the web pages: formatted, and without common mistakes. Called by `make check` and `format`.

    python -m tools.check_scripts [--write]

It needs npm for what checks them, which is installed beside it once. Where that is not to be had, it says so
and passes, but not where HAGGIS_REQUIRE names node.
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
    """Check them, or mend what can be mended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="mend what can be mended")
    options = parser.parse_args(arguments)
    if not _install_biome():
        print(
            "The scripts of the web pages are not checked: npm, or what it is to install, is not to be had."
        )
        return 1 if "node" in os.environ.get("HAGGIS_REQUIRE", "").split(",") else 0
    mode = ["--write"] if options.write else []
    command = [str(PROGRAM), "check", *mode, f"--config-path={FOLDER}", *SCRIPTS]
    return subprocess.run(command, cwd=ROOT, env=os.environ | {"NO_COLOR": "1"}, check=False).returncode


def _install_biome() -> bool:
    """Whether what checks them is there, installed now if need be, and runs on this machine."""
    npm = shutil.which("npm")
    if npm is None:
        return False
    if _is_outdated():
        # Not `npm ci`: biome comes as one package for each kind of machine, and that wants the lock to name
        # them all, those that a registry does not have included.
        quiet = ("--no-audit", "--no-fund", "--loglevel", "error")
        install = [npm, "install", "--no-save", "--ignore-scripts", *quiet]
        if subprocess.run(install, cwd=FOLDER, check=False, stdout=subprocess.DEVNULL).returncode:
            return False
    return subprocess.run([str(PROGRAM), "--version"], check=False, capture_output=True).returncode == 0


def _is_outdated() -> bool:
    """Whether what is installed is not what the lock names, or nothing is."""
    installed = FOLDER / "node_modules" / ".package-lock.json"
    return (
        not installed.exists() or installed.stat().st_mtime < (FOLDER / "package-lock.json").stat().st_mtime
    )


if __name__ == "__main__":
    sys.exit(main())
