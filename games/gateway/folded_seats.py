"""The seats of a match from its log alone: who plays them, and their clocks."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from games.gateway.clocks import SeatClock
from games.times import moment

Form = dict[str, Any]


@dataclass(slots=True)
class FoldedSeats:
    """The seats as far as the log has been gone through. `bank` is what each time bank begins with."""

    players: int
    bank: int = 0
    deadline: datetime | None = None
    resigned: set[int] = field(default_factory=set)
    caretakers: set[int] = field(default_factory=set)
    asked_by: set[int] = field(default_factory=set)
    turn_left_ms: int | None = None
    clocks: dict[int, SeatClock] = field(default_factory=dict)

    def take(self, entry: Form) -> None:
        """Go on by one entry."""
        seat: int = entry["seat"]
        match entry["type"]:
            case "started":
                self.clocks = {number: SeatClock(self.bank) for number in range(self.players)}
            case "play" | "pass" | "bet" | "award":
                self._acted(seat, entry)
            case "resigned":
                self.resigned.add(seat)
                self.caretakers.discard(seat)
                self.asked_by.discard(seat)
            case "caretaker":
                self.caretakers.add(seat)
                self.asked_by.discard(seat)
            case "reclaimed":
                self.caretakers.discard(seat)
                self.clocks[seat] = SeatClock(self.clocks[seat].bank)
            case "pause_asked" | "resume_asked" | "paused" | "resumed":
                self.asked_by = set(entry["asked_by"])
                self.turn_left_ms = entry.get("turn_left_ms", self.turn_left_ms)
            case _:
                pass  # nothing to do with the seats
        if any(happening["type"] == "match_end" for happening in entry["then"]):
            self.asked_by = set()
        self.deadline = moment(entry["next"]["deadline"])

    def _acted(self, seat: int, entry: Form) -> None:
        at = moment(entry["at"])
        if at is None or seat not in self.clocks:
            raise ValueError("Nobody can act before the start, or at no time.")
        self.clocks[seat] = self.clocks[seat].after(
            entry["type"], by=entry["by"], deadline=self.deadline, now=at
        )
