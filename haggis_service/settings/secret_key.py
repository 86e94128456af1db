"""The secret key of a checkout: created once and stored beside the database, never in the repository."""

import secrets
from pathlib import Path

from django.core.management.utils import get_random_secret_key


def load_or_create_secret_key(path: Path) -> str:
    """Read the key from `path`; if the file does not exist, create it, readable by its owner only.

    The key survives restarts, so sessions do too. Processes that start at the same time agree on one key: the
    first to link its finished file wins, and the others read that file.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _create_atomically(path, get_random_secret_key())
    return path.read_text(encoding="utf-8")


def _create_atomically(path: Path, key: str) -> None:
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    draft.touch(mode=0o600)
    draft.write_text(key, encoding="utf-8")
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        return  # another process was first
    finally:
        draft.unlink()
