"""Refuse to import a compiled engine whose sources have changed since.

Python prefers a compiled module to the source beside it, so after an edit the old rules would silently stay
in force. `make compiled` therefore writes a manifest of source digests, which importing the engine verifies.
Without a compiled engine this costs one check for a missing file.
"""

import hashlib
import json
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

MANIFEST: Final = "_compiled.json"


class StaleBuild(ImportError):
    """The compiled engine does not match its sources."""


def digest(source: Path) -> str:
    """Return the SHA-256 digest of a source file, or an empty text if the file is missing."""
    return hashlib.sha256(source.read_bytes()).hexdigest() if source.exists() else ""


def refuse_stale_build(package: Path) -> None:
    """Raise `StaleBuild` if the compiled build in this folder was made from other sources.

    A build for another version of Python is ignored, since this one never imports it.
    """
    manifest = package / MANIFEST
    if not manifest.exists():
        return
    build = json.loads(manifest.read_text(encoding="utf-8"))
    if build["suffix"] not in EXTENSION_SUFFIXES:
        return
    changed = [name for name, compiled in build["sources"].items() if digest(package / name) != compiled]
    if changed:
        raise StaleBuild(
            f"Changed since the engine was compiled: {', '.join(sorted(changed))}. "
            "Run `make compiled` to compile it again, or `make clean-compiled` to go back to plain Python."
        )
