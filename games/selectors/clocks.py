"""Clocks that people usually play by, to choose from; any other may be agreed as well."""

from typing import Any, Final

Form = dict[str, Any]

MINUTE: Final = 60
DAY: Final = 24 * 3600


def _clock(key: str, title: str, kind: str, turn_seconds: int, time_bank_seconds: int) -> Form:
    return {
        "key": key,
        "title": title,
        "kind": kind,
        "turn_seconds": turn_seconds,
        "time_bank_seconds": time_bank_seconds,
    }


CLOCKS: Final = (
    _clock("one-day", "A day for each turn", "correspondence", DAY, 0),
    _clock("three-days", "Three days for each turn", "correspondence", 3 * DAY, 0),
    _clock("seven-days", "A week for each turn", "correspondence", 7 * DAY, 0),
    _clock("half-minute", "30 seconds for each turn, and two minutes on top", "live", 30, 2 * MINUTE),
    _clock("two-minutes", "Two minutes for each turn, and five on top", "live", 2 * MINUTE, 5 * MINUTE),
)


def clock_forms() -> list[Form]:
    """All of them."""
    return [dict(clock) for clock in CLOCKS]
