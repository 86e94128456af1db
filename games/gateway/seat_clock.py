"""The clock of a seat: how an action changes its time bank and its number of timeouts."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

TURN_EVENTS: Final = frozenset({"play", "pass", "award"})


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The seconds left in a seat's time bank, and its number of consecutive timeouts."""

    bank: int = 0
    timeouts: int = 0

    def after_event(self, event: str, *, by: str, deadline: datetime | None, now: datetime) -> "SeatClock":
        """Return the clock after an action of its seat by the player, the clock or an AI.

        A deadline includes the whole time bank, so the time left until the deadline is what remains of the
        bank. Any action of the player resets the timeouts. A bet does not end a turn, so it uses no time.
        """
        match by:
            case "player":
                bank = _bank_left(self.bank, deadline, now) if event in TURN_EVENTS else self.bank
                return SeatClock(bank=bank, timeouts=0)
            case "clock":
                return SeatClock(bank=0, timeouts=self.timeouts + 1)
            case _:
                return self


def _bank_left(bank: int, deadline: datetime | None, now: datetime) -> int:
    """Return the whole seconds left in a time bank at the end of a turn, rounded down.

    >>> from datetime import UTC, timedelta
    >>> deadline = datetime(2026, 2, 3, tzinfo=UTC)
    >>> [_bank_left(60, deadline, deadline - timedelta(seconds=seconds)) for seconds in (90, 59.9, -1)]
    [60, 59, 0]
    """
    if deadline is None:
        return bank
    return min(bank, max(0, int((deadline - now).total_seconds() // 1)))
