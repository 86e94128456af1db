"""The clock of a seat: what an entry of the log comes to for it.

The service and the fold of the log count alike, because both ask here.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

TURNS: Final = frozenset({"play", "pass", "award"})


@dataclass(frozen=True, slots=True)
class SeatClock:
    """Seconds that are left of a seat's time bank, and how many turns in a row the clock took for it."""

    bank: int = 0
    timeouts: int = 0

    def after(self, event: str, *, by: str, deadline: datetime | None, now: datetime) -> "SeatClock":
        """The clock after its seat acted, or was acted for.

        A deadline has the whole bank in it, so what of the bank is not used up is what is left until then.
        Whoever does anything is there again; betting takes no turn, so it takes no time either.
        """
        match by:
            case "player":
                bank = _left(self.bank, deadline, now) if event in TURNS else self.bank
                return SeatClock(bank=bank, timeouts=0)
            case "clock":
                return SeatClock(bank=0, timeouts=self.timeouts + 1)
            case _:
                return self


def _left(bank: int, deadline: datetime | None, now: datetime) -> int:
    """What is left of a bank when its turn ends: whole seconds, and a second that has begun is used.

    >>> from datetime import UTC, timedelta
    >>> deadline = datetime(2026, 2, 3, tzinfo=UTC)
    >>> [_left(60, deadline, deadline - timedelta(seconds=seconds)) for seconds in (90, 59.9, -1)]
    [60, 59, 0]
    """
    if deadline is None:
        return bank
    return min(bank, max(0, int((deadline - now).total_seconds() // 1)))
