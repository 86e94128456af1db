"""Pseudonyms of players in published records.

A pseudonym is an HMAC of the player's number with a key that is stored in the database and never published.
It stays the same when the player is renamed or deleted; only the file of names tells whose it is.
"""

import base64
import hashlib
import hmac
import secrets
from typing import Final

from games.core.secrets import Secret

PREFIX: Final = "p_"
_KEY_BYTES: Final = 32
# 100 bits: no two of a billion players have the same pseudonym.
_LENGTH: Final = 20


def new_key() -> Secret[bytes]:
    """Return a random key."""
    return Secret(secrets.token_bytes(_KEY_BYTES))


def pseudonym(player_id: int, key: Secret[bytes]) -> str:
    """Return the pseudonym of a player.

    >>> pseudonym(1, Secret(b"key")), pseudonym(1, Secret(b"other key")) == pseudonym(1, Secret(b"key"))
    ('p_nwur7oivc67b6xg46oxz', False)
    """
    digest = hmac.digest(key.reveal(), str(player_id).encode(), hashlib.sha256)
    return PREFIX + base64.b32encode(digest).decode("ascii").lower()[:_LENGTH]
