"""Build events: log entries and the changes to matches, seats and rounds."""

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict

from games.core import compact_json
from games.core.errors import Problem
from games.core.secrets import Secret
from games.core.times import format_time, truncate_to_milliseconds
from games.gateway.agreement import Deals
from games.gateway.documents import (
    EntryEvent,
    EntryFields,
    LogEntry,
    ResultDocument,
    RoundEndEvent,
)
from games.gateway.seat_clock import SeatClock
from games.gateway.table import ActionResult, Table
from games.matches.commit import BetRow, Event, RoundBegun, RoundEnded, commit_event
from games.matches.models.log import Actor, EventType
from games.matches.models.match import MatchStatus, PauseRequest, SeatState
from games.matches.store import MatchRow, SeatRow
from games.matches.timing import next_timing


def build_entry(  # noqa: PLR0913 -- an entry has this many parts, each named where one is made
    row: MatchRow,
    event: str,
    *,
    by: str,
    seat: int | None = None,
    fields: EntryFields | None = None,
    events: list[EntryEvent] | None = None,
    table: Table | None = None,
    deadline: datetime | None = None,
) -> LogEntry:
    """Return the next log entry in the format of the API.

    `table` is the table after the event, if the match is in play; in a paused match nobody is to act.
    """
    if row.status == MatchStatus.PAUSED:
        table = None
    to_act = None if table is None else table.to_act
    return {
        "version": row.version + 1,
        "round": row.round_number,
        "seat": seat,
        "type": event,
        "cards": None,
        "combination": None,
        "wilds": None,
        "amount": None,
        "to": None,
        **(fields or {}),
        "by": by,
        "at": format_time(row.now),
        "then": events or [],
        "next": {
            "to_act": to_act,
            "expects": None if table is None or to_act is None else table.expects,
            "deadline": format_time(deadline),
        },
    }


def action_event(row: MatchRow, outcome: ActionResult, event: str, *, seat: int, by: str) -> Event:
    """Return the event of an action by a player, the clock or an AI."""
    deals = row.deals() if outcome.round_ended else None
    events = outcome.events if deals is None else _reveal_links(outcome.events, deals)
    if deals is not None:
        rank_resigned_last(events, row.seats)
    after_action = row.with_seat(_seat_after_action(row, row.seats[seat], event, by))
    table = outcome.table
    timing = next_timing(after_action, table, event=event)
    entry = build_entry(
        row,
        event,
        by=by,
        seat=seat,
        fields=outcome.action_fields,
        events=events,
        table=table,
        deadline=timing.deadline,
    )
    bets = (BetRow(row.round_number or 0, seat, entry["amount"] or 0),) if event == EventType.BET else ()
    after = after_action._replace(**after_event(row), **table_changes(table), **timing._asdict())
    if deals is None:
        return Event(row, after, entry, bets=bets)
    ended = round_ended(next(each for each in events if each["type"] == "round_end"))
    if table.to_act is None:
        result = next(each["result"] for each in events if each["type"] == "match_end")
        return Event(row, after._replace(**match_ended(after, result)), entry, (ended,), bets)
    after = after._replace(**round_changes(row, table))
    return Event(row, after, entry, (ended, round_begun(table)), bets)


def _seat_after_action(row: MatchRow, seat: SeatRow, event: str, by: str) -> SeatRow:
    """Return the seat with its clock after the action."""
    clock = SeatClock(seat.time_bank_left, seat.timeouts).after_event(
        event, by=by, deadline=row.deadline, now=truncate_to_milliseconds(row.now)
    )
    return seat._replace(time_bank_left=clock.bank, timeouts=clock.timeouts)


def _reveal_links(events: list[EntryEvent], deals: Deals) -> list[EntryEvent]:
    """Add the links of ended rounds to their events."""
    return [
        {**each, "link": deals.link(each["number"])} if each["type"] == "round_end" else each
        for each in events
    ]


class EventColumns(TypedDict):
    """The columns of a `MatchRow` that every event changes."""

    version: int
    snapshot_version: int


class TableColumns(TypedDict):
    """The columns that an event changes with the table."""

    snapshot: Secret[str]
    to_act: int | None
    expects: str
    totals: list[int]
    attempts: int


class RoundColumns(TypedDict):
    """The columns that change when an event begins a round."""

    round_number: int
    round_first_version: int


class FinishedColumns(TypedDict):
    """The columns of a finished match: no seat is to act, and none is live."""

    status: MatchStatus
    result: ResultDocument
    finished_at: datetime
    to_act: None
    expects: str
    seats: tuple[SeatRow, ...]


def after_event(row: MatchRow) -> EventColumns:
    """Return the columns that every event changes."""
    return {"version": row.version + 1, "snapshot_version": row.version + 1}


def table_changes(table: Table) -> TableColumns:
    """Return the columns for the table, its scores and the seat to act, without the timing of the turn."""
    return {
        "snapshot": Secret(compact_json.dump_json(table.dump()).decode()),
        "to_act": table.to_act,
        "expects": table.expects,
        "totals": table.totals,
        "attempts": 0,
    }


def round_changes(row: MatchRow, table: Table) -> RoundColumns:
    """Return the columns that change when an event begins a round."""
    return {"round_number": table.round_number, "round_first_version": row.version + 1}


def round_begun(table: Table) -> RoundBegun:
    """Return the new round of a table."""
    return RoundBegun(table.round_number, table.dealer, table.leader, Secret(table.deal_to_json()))


def round_ended(ended: RoundEndEvent) -> RoundEnded:
    """Convert a `round_end` event to the ended round; it has no scores if it was abandoned."""
    return RoundEnded(ended["number"], ended["link"] or "", ended["out"], ended["scores"], ended["totals"])


def match_ended(row: MatchRow, result: ResultDocument) -> FinishedColumns:
    """Return the columns of a finished match: no seat is to act, and none is live."""
    seats = tuple(
        [seat._replace(live=False, standing_trick="", asks=PauseRequest.NOTHING) for seat in row.seats]
    )
    return {
        "status": MatchStatus.FINISHED,
        "result": result,
        "finished_at": row.now,
        "to_act": None,
        "expects": "",
        "seats": seats,
    }


def rank_without_resigned(result: ResultDocument, seats: Sequence[SeatRow]) -> ResultDocument:
    """Return the result of a match played to its end, with resigned seats ranked last.

    If the AI of a resigned seat scored the most points, the best of the other seats win (several if tied) and
    the reason becomes `resigned`.
    """
    if all(seats[winner].state != SeatState.RESIGNED for winner in result["winners"]):
        return result
    return {**result, "winners": best_remaining_seats(result["scores"], seats), "reason": "resigned"}


def rank_resigned_last(events: list[EntryEvent], seats: Sequence[SeatRow]) -> None:
    """Rank resigned seats last in the result of a `match_end` event, if there is one."""
    for event in events:
        if event["type"] == "match_end":
            event["result"] = rank_without_resigned(event["result"], seats)


def abandoned_result(event: str, by: str, scores: Sequence[int], seats: Sequence[SeatRow]) -> ResultDocument:
    """Return the result of a match that an event ends prematurely."""
    if event == EventType.ANNULLED:
        return {"winners": [], "scores": list(scores), "reason": "annulled"}
    reason = "forfeit" if by == Actor.CLOCK else "resigned"
    return {"winners": best_remaining_seats(scores, seats), "scores": list(scores), "reason": reason}


def best_remaining_seats(scores: Sequence[int], seats: Sequence[SeatRow]) -> list[int]:
    """Return the seats with the most points among those that have not resigned."""
    remaining = [seat.number for seat in seats if seat.state != SeatState.RESIGNED]
    most = max(scores[number] for number in remaining)
    return [number for number in remaining if scores[number] == most]


def commit_or_conflict(event: Event) -> MatchRow:
    """Write an event of a locked match and return the match after it; raise 409 if the version changed."""
    if not commit_event(event.before, event.after, event.entry, rounds=event.rounds, bets=event.bets):
        raise Problem("stale_version")
    return event.after
