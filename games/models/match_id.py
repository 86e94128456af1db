"""Names for matches: opaque, in the order of time, and not to be guessed.

Time-ordered ids keep the newest rows of every index together, and the log could be partitioned by them.
"""

import secrets
import time
from typing import Final

PREFIX: Final = "m_"
_DIGITS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_TIME_DIGITS: Final = 10  # milliseconds, for some thousand years
_RANDOM_DIGITS: Final = 16  # 80 random bits


def new_match_id() -> str:
    """Make a new name, later than those made a millisecond before."""
    milliseconds = time.time_ns() // 1_000_000
    return PREFIX + _digits(milliseconds, _TIME_DIGITS) + _digits(secrets.randbits(80), _RANDOM_DIGITS)


def _digits(number: int, count: int) -> str:
    return "".join(_DIGITS[number >> 5 * place & 31] for place in reversed(range(count)))
