"""Values in words for operators."""

from datetime import timedelta
from typing import Final, Protocol

_UNITS: Final = (("day", "days", 86400), ("h", "h", 3600), ("min", "min", 60), ("s", "s", 1))


def describe_seconds(seconds: int) -> str:
    """Return a length of time in words.

    >>> describe_seconds(3 * 86400), describe_seconds(5400), describe_seconds(0)
    ('3 days', '1 h 30 min', '0 s')
    """
    parts, rest = [], abs(seconds)
    for singular, plural, length in _UNITS:
        count, rest = divmod(rest, length)
        if count:
            parts.append(f"{count} {singular if count == 1 else plural}")
    return " ".join(parts) or "0 s"


class Clock(Protocol):
    """The settings of a match that determine its clock."""

    @property
    def turn_seconds(self) -> int | None:
        """The seconds of a turn, or `None` without a clock."""

    @property
    def time_bank_seconds(self) -> int:
        """The seconds of the time bank."""

    @property
    def timeouts_allowed(self) -> int:
        """The number of timeouts without consequences."""

    @property
    def after_timeouts(self) -> str:
        """What happens after them."""


def describe_clock(clock: Clock) -> str:
    """Return the clock of a match in words, such as `3 days a turn, bank 1 h`."""
    if not clock.turn_seconds:
        return "no clock"
    parts = [f"{describe_seconds(clock.turn_seconds)} a turn"]
    if clock.time_bank_seconds:
        parts.append(f"bank {describe_seconds(clock.time_bank_seconds)}")
    return ", ".join(parts)


def describe_timeouts(clock: Clock) -> str:
    """Return what happens after timeouts, in words."""
    count = clock.timeouts_allowed
    consequence = "a caretaker plays" if clock.after_timeouts == "caretaker" else "the player resigns"
    return f"{count} {'timeout' if count == 1 else 'timeouts'} allowed, then {consequence}"


def describe_left(length: timedelta) -> str:
    """Return how long something still lasts, in words, without seconds if it is longer than an hour."""
    seconds = max(0, int(length.total_seconds()))
    return describe_seconds(seconds - seconds % 3600 if seconds > 3600 else seconds)  # noqa: PLR2004 -- an hour
