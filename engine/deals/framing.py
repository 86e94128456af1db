"""How texts and numbers become the bytes that are hashed, so that no two inputs ever give the same bytes."""

from typing import Final

from engine.errors import Malformed

NAME: Final = b"haggis-shuffle-v1"
LINK_BYTES: Final = 32


def lp(*parts: bytes) -> bytes:
    """Join byte strings, each after its length as four bytes, big-endian.

    The lengths keep neighbours apart: without them `a`, `bc` and `ab`, `c` would be the same.

    >>> lp(b"a", b"bc").hex()
    '0000000161000000026263'
    """
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def utf8(text: str, *, where: str) -> bytes:
    """The bytes of a text as it was received; half a surrogate pair has none."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise Malformed("invalid_text", "The text holds half of a surrogate pair.", where=where) from None


def decimal(number: int) -> bytes:
    """A number as decimal text.

    >>> decimal(12)
    b'12'
    """
    return b"%d" % number


def check_link(link: bytes) -> None:
    """A link is 32 bytes, as SHA-256 gives them."""
    if len(link) != LINK_BYTES:
        raise Malformed("invalid_link", f"A link has {LINK_BYTES} bytes.", where="link")
