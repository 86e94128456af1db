"""Encode texts and numbers as the bytes to hash, so that no two inputs give the same bytes."""

from typing import Final

from engine.errors import Malformed

NAME: Final = b"haggis-shuffle-v1"
LINK_BYTES: Final = 32


def lp(*parts: bytes) -> bytes:
    """Join byte strings, each prefixed with its length as four big-endian bytes.

    Without the lengths, `a`, `bc` and `ab`, `c` would give the same bytes.

    >>> lp(b"a", b"bc").hex()
    '0000000161000000026263'
    """
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def utf8(text: str, *, where: str) -> bytes:
    """Encode a text as UTF-8; raise `Malformed` for an unpaired surrogate."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise Malformed("invalid_text", "The text contains an unpaired surrogate.", where=where) from None


def decimal(number: int) -> bytes:
    """Encode a number as decimal text.

    >>> decimal(12)
    b'12'
    """
    return b"%d" % number


def check_link(link: bytes) -> None:
    """Raise `Malformed` unless the link has 32 bytes, the size of a SHA-256 digest."""
    if len(link) != LINK_BYTES:
        raise Malformed("invalid_link", f"A link has {LINK_BYTES} bytes.", where="link")
