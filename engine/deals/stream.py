"""Generate numbers from a key: unpredictable without it, reproducible with it."""

import hmac
import struct
from collections.abc import Iterator
from typing import Final

from engine.deals.framing import NAME, lp

NUMBERS_END: Final = 1 << 32
_BLOCK: Final = struct.Struct(">8I")


def numbers_of(key: bytes) -> Iterator[int]:
    """Yield unsigned 32-bit numbers without end, eight from each HMAC-SHA-256 block."""
    index = 0
    while True:
        block = hmac.digest(key, lp(NAME, b"stream", index.to_bytes(8, "big")), "sha256")
        yield from _BLOCK.unpack(block)
        index += 1


def below(numbers: Iterator[int], bound: int) -> int:
    """Return a uniform choice among 0 to `bound` - 1.

    The highest numbers, which do not fill a whole multiple of `bound`, are skipped: using them would favour
    the lowest results.

    >>> below(iter([4294967295, 5]), 3)
    2
    """
    usable = NUMBERS_END - NUMBERS_END % bound
    number = next(numbers)
    while number >= usable:
        number = next(numbers)
    return number % bound
