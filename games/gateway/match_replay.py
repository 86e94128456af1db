"""Replay a match from its log: seats, clocks and tables."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from games.core.times import parse_time
from games.gateway.agreement import Agreement, Deals
from games.gateway.documents import EntryEvent, EntryFields, LogEntry
from games.gateway.seat_clock import SeatClock
from games.gateway.table import (
    ActionResult,
    Table,
    abandoned_round_event,
    acting_seat,
    deal_event,
    logged_action,
)


@dataclass(slots=True)
class ReplayedSeats:
    """The seats after the entries replayed so far. `bank` is the initial time bank in seconds."""

    players: int
    bank: int = 0
    deadline: datetime | None = None
    resigned: set[int] = field(default_factory=set)
    caretakers: set[int] = field(default_factory=set)
    asked_by: set[int] = field(default_factory=set)
    turn_left_ms: int | None = None
    clocks: dict[int, SeatClock] = field(default_factory=dict)

    def apply(self, entry: LogEntry) -> None:
        """Apply the next log entry."""
        seat = -1 if entry["seat"] is None else entry["seat"]
        match entry["type"]:
            case "started":
                self.clocks = {number: SeatClock(self.bank) for number in range(self.players)}
            case "play" | "pass" | "bet" | "award":
                self._apply_action(seat, entry)
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
                pass  # does not affect the seats
        if any(event["type"] == "match_end" for event in entry["then"]):
            self.asked_by = set()
        self.deadline = parse_time(entry["next"]["deadline"])

    def _apply_action(self, seat: int, entry: LogEntry) -> None:
        at = parse_time(entry["at"])
        if at is None or seat not in self.clocks:
            raise ValueError("An action needs a started match and a time.")
        self.clocks[seat] = self.clocks[seat].after_event(
            entry["type"], by=entry["by"], deadline=self.deadline, now=at
        )


TURNS: Final = frozenset({"play", "pass", "bet", "award"})
# Entries that change the status of a match without changing its table.
_STATES: Final = {"started": "active", "cancelled": "cancelled", "paused": "paused", "resumed": "active"}


@dataclass(slots=True)
class ExpectedEntry:
    """The parts of a log entry that follow from the rules: the fields of its action and its events."""

    action_fields: EntryFields = field(default_factory=EntryFields)
    events: list[EntryEvent] = field(default_factory=list)


@dataclass(slots=True)
class MatchReplay:
    """A match after the entries replayed so far."""

    agreement: Agreement
    deals: Deals
    seats: ReplayedSeats
    status: str = "open"
    version: int = 0
    table: Table | None = None

    def apply(self, entry: LogEntry) -> ExpectedEntry:
        """Apply the next entry and return what it must contain; raise if the rules do not allow it."""
        self.version += 1
        self.status = _STATES.get(entry["type"], self.status)
        self.seats.apply(entry)
        if entry["type"] == "started":
            return self._start()
        if entry["type"] in TURNS:
            return self._act(entry)
        if any(event["type"] == "match_end" for event in entry["then"]):
            return self._abandon_round()
        return ExpectedEntry()

    def _start(self) -> ExpectedEntry:
        table = self.table = Table.start(self.agreement, self.deals)
        return ExpectedEntry(events=[deal_event(table.round_number, table.dealer, table.leader)])

    def _act(self, entry: LogEntry) -> ExpectedEntry:
        result = self._action_result(entry)
        self.table = result.table
        if result.table.to_act is None:
            self.status = "finished"
        for event in result.events:
            if event["type"] == "round_end":
                event["link"] = self.deals.link(event["number"])
        return ExpectedEntry(result.action_fields, result.events)

    def _action_result(self, entry: LogEntry) -> ActionResult:
        if self.table is None:
            raise ValueError("An action needs a started match.")
        return self.table.act(acting_seat(entry), logged_action(entry), self.deals.deal_function())

    def _abandon_round(self) -> ExpectedEntry:
        """Apply the premature end of a match. Its result is decided by the service, not by the engine."""
        if self.table is None:
            raise ValueError("A match cannot end before its start.")
        self.status = "finished"
        return ExpectedEntry(
            events=[abandoned_round_event(self.table, self.deals.link(self.table.round_number))]
        )
