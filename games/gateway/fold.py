"""Replay a match from its log: seats, clocks and tables."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from games.core.times import parse_time
from games.gateway.agreement import Agreement, Deals
from games.gateway.table import ActionResult, Table, abandoned_round_event, deal_event, parse_action

Form = dict[str, Any]

TURN_EVENTS: Final = frozenset({"play", "pass", "award"})


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
                bank = _bank_left(self.bank, deadline, now) if event in TURN_EVENTS else self.bank
                return SeatClock(bank=bank, timeouts=0)
            case "clock":
                return SeatClock(bank=0, timeouts=self.timeouts + 1)
            case _:
                return self


def _bank_left(bank: int, deadline: datetime | None, now: datetime) -> int:
    """What is left of a bank when its turn ends: whole seconds, and a second that has begun is used.

    >>> from datetime import UTC, timedelta
    >>> deadline = datetime(2026, 2, 3, tzinfo=UTC)
    >>> [_left(60, deadline, deadline - timedelta(seconds=seconds)) for seconds in (90, 59.9, -1)]
    [60, 59, 0]
    """
    if deadline is None:
        return bank
    return min(bank, max(0, int((deadline - now).total_seconds() // 1)))


@dataclass(slots=True)
class ReplayedSeats:
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
        self.deadline = parse_time(entry["next"]["deadline"])

    def _acted(self, seat: int, entry: Form) -> None:
        at = parse_time(entry["at"])
        if at is None or seat not in self.clocks:
            raise ValueError("Nobody can act before the start, or at no time.")
        self.clocks[seat] = self.clocks[seat].after(
            entry["type"], by=entry["by"], deadline=self.deadline, now=at
        )


TURNS: Final = frozenset({"play", "pass", "bet", "award"})
# Entries after which a match is in another state, whatever its table is.
_STATES: Final = {"started": "active", "cancelled": "cancelled", "paused": "paused", "resumed": "active"}


@dataclass(slots=True)
class ExpectedEntry:
    """What an entry must say: the parts that are its action's own, and what it brought about."""

    said: Form = field(default_factory=dict)
    then: list[Form] = field(default_factory=list)


@dataclass(slots=True)
class MatchReplay:
    """A match as far as its log has been gone through."""

    agreement: Agreement
    deals: Deals
    seats: ReplayedSeats
    status: str = "open"
    version: int = 0
    table: Table | None = None

    def take(self, entry: Form) -> ExpectedEntry:
        """Apply the next entry; refused by the engine if it could not have happened."""
        self.version += 1
        self.status = _STATES.get(entry["type"], self.status)
        self.seats.take(entry)
        if entry["type"] == "started":
            return self._start()
        if entry["type"] in TURNS:
            return self._act(entry)
        if any(happening["type"] == "match_end" for happening in entry["then"]):
            return self._cut_short()
        return ExpectedEntry()

    def _start(self) -> ExpectedEntry:
        table = self.table = Table.start(self.agreement, self.deals)
        return ExpectedEntry(then=[deal_event(table.round_number, table.dealer, table.leader)])

    def _act(self, entry: Form) -> ExpectedEntry:
        outcome = self._outcome(entry)
        self.table = outcome.table
        if outcome.table.to_act is None:
            self.status = "finished"
        for happening in outcome.then:
            if happening["type"] == "round_end":
                happening["link"] = self.deals.link(happening["number"])
        return ExpectedEntry(outcome.said, outcome.then)

    def _outcome(self, entry: Form) -> ActionResult:
        if self.table is None:
            raise ValueError("Nobody can act before the start.")
        action = parse_action({**entry, "as": entry["combination"]})
        return self.table.act(entry["seat"], action, self.deals.dealing())

    def _cut_short(self) -> ExpectedEntry:
        """The end of a match that is not played out. Its result is the service's to say, not the engine's."""
        if self.table is None:
            raise ValueError("Nothing can end before the start.")
        self.status = "finished"
        return ExpectedEntry(
            then=[abandoned_round_event(self.table, self.deals.link(self.table.round_number))]
        )
