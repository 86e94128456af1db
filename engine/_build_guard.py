"""Nobody plays by rules that were edited after they were compiled.

Python prefers a compiled module to the source beside it, so that after an edit the old rules would go on
unseen. `make compiled` therefore notes what it compiled from, and importing the engine compares. Without a
compiled engine this costs one look for a file that is not there.
"""

import hashlib
import json
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

NOTE: Final = "_compiled.json"


class StaleBuild(ImportError):
    """The compiled engine is not what its source says."""


def digest(source: Path) -> str:
    """What tells one content of a source file from another; empty where there is no file."""
    return hashlib.sha256(source.read_bytes()).hexdigest() if source.exists() else ""


def refuse_stale_build(package: Path) -> None:
    """Raise `StaleBuild` if this folder holds a compiled build of other sources than it holds now.

    A build for another version of Python is never imported by this one, and so is left alone.
    """
    note = package / NOTE
    if not note.exists():
        return
    build = json.loads(note.read_text(encoding="utf-8"))
    if build["suffix"] not in EXTENSION_SUFFIXES:
        return
    changed = [name for name, compiled in build["sources"].items() if digest(package / name) != compiled]
    if changed:
        raise StaleBuild(
            f"Changed since the engine was compiled: {', '.join(sorted(changed))}. "
            "Run `make compiled` to compile it again, or `make clean-compiled` to go back to plain Python."
        )
