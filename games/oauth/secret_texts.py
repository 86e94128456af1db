"""The texts of access tokens, refresh tokens and codes, and their hashes. Only hashes are stored."""

import re
import secrets
from typing import Final

from knox.crypto import hash_token
from knox.models import get_digest_token
from oauthlib.common import Request

_PREFIX: Final = "haggis_refresh_"
_REFRESH_TOKEN: Final = re.compile(rf"{_PREFIX}([0-9a-f]{{32}})_[0-9a-f]{{64}}")


def new_access_token(_request: Request) -> str:
    """Return a random access token of the form of every API token."""
    text: str = get_digest_token()[1]
    return text


def new_refresh_token(request: Request) -> str:
    """Return a random refresh token; the one that replaces another has the same key."""
    key = family_key(getattr(request, "refresh_token", None) or "") or secrets.token_hex(16)
    return f"{_PREFIX}{key}_{secrets.token_hex(32)}"


def family_key(refresh_token: str) -> str | None:
    """Return the key of a refresh token, or `None` for a text of another form.

    >>> family_key("haggis_refresh_" + "a" * 32 + "_" + "b" * 64) == "a" * 32
    True
    >>> family_key("haggis_0123")
    """
    found = _REFRESH_TOKEN.fullmatch(refresh_token)
    return None if found is None else found[1]


def digest_of(text: str) -> str:
    """Return the hash under which a secret text is stored, the same as that of API tokens."""
    digest: str = hash_token(text)
    return digest
