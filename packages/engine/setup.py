"""Compile the core of the engine with mypyc if HAGGIS_ENGINE_COMPILED is 1; otherwise build pure Python.

HAGGIS_ENGINE_COMPILED=1 pip install --no-binary haggis-engine haggis-engine
"""

import os
import sys
from pathlib import Path

from setuptools import setup

COMPILED = os.environ.get("HAGGIS_ENGINE_COMPILED") == "1"
# mypyc is not installed yet while pip asks what the build needs.
QUERY = "egg_info" in sys.argv


def extensions() -> list[object]:
    """Return the extension modules, which are listed in compiled.txt."""
    if not COMPILED or QUERY:
        return []
    from mypyc.build import mypycify  # noqa: PLC0415 -- needed for compiled builds only

    modules = Path("compiled.txt").read_text(encoding="utf-8").split()
    options = ["--config-file=", "--strict", *modules]
    return mypycify(options, opt_level="3", debug_level="0", group_name="haggis_engine._compiled")


setup(ext_modules=extensions(), setup_requires=["mypy[mypyc]>=1.17"] if COMPILED else [])
