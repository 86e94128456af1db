"""Build the log entry of an event and everything it changes."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from games.core import compact_json
from games.core.errors import Problem
from games.core.secrets import Secret
from games.core.times import format_time, truncate_to_milliseconds
from games.gateway.agreement import Deals
from games.gateway.fold import SeatClock
from games.gateway.table import ActionResult, Table
from games.matches.commit import BetRow, Event, RoundBegun, RoundEnded, commit_event
from games.matches.models.log import Actor, EventType
from games.matches.models.match import MatchStatus, PauseRequest, SeatState
from games.matches.store import MatchRow, SeatRow
from games.matches.timing import TurnTiming, next_timing

Form = dict[str, Any]


def build_entry(  # noqa: PLR0913 -- an entry has this many parts, each named where one is made
    row: MatchRow,
    event: str,
    *,
    by: str,
    seat: int | None = None,
    said: Mapping[str, Any] | None = None,
    then: list[Form] | None = None,
    following: Table | None = None,
    deadline: datetime | None = None,
) -> Form:
    """Return the next entry of the log, as clients are given it. `following` is the table after it, if any.

    Nobody is to act in a paused match.
    """
    if row.status == MatchStatus.PAUSED:
        following = None
    to_act = None if following is None else following.to_act
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
        **(said or {}),
        "by": by,
        "at": format_time(row.now),
        "then": then or [],
        "next": {
            "to_act": to_act,
            "expects": None if following is None or to_act is None else following.expects,
            "deadline": format_time(deadline),
        },
    }


def action_event(row: MatchRow, outcome: ActionResult, event: str, *, seat: int, by: str) -> Event:
    """Return the event of an action at the table, made by its player, the clock or an AI."""
    deals = row.deals() if outcome.round_ended else None
    then = outcome.events if deals is None else _with_links(outcome.events, deals)
    if deals is not None:
        rank_resigned_last(then, row.seats)
    acted = row.with_seat(_seat_after_action(row, row.seats[seat], event, by))
    table = outcome.table
    timing = next_timing(acted, table, event=event)
    entry = build_entry(
        row,
        event,
        by=by,
        seat=seat,
        said=outcome.action_fields,
        then=then,
        following=table,
        deadline=timing.deadline,
    )
    bets = (BetRow(row.round_number or 0, seat, entry["amount"]),) if event == EventType.BET else ()
    changes = after_event(row) | table_changes(table, timing)
    if deals is None:
        return Event(row, acted._replace(**changes), entry, bets=bets)
    ended = round_ended(_single(then, "round_end"))
    if table.to_act is None:
        changes |= match_ended(acted, _single(then, "match_end")["result"])
        return Event(row, acted._replace(**changes), entry, (ended,), bets)
    changes |= round_changes(row, table)
    return Event(row, acted._replace(**changes), entry, (ended, round_begun(table)), bets)


def _seat_after_action(row: MatchRow, seat: SeatRow, event: str, by: str) -> SeatRow:
    """Return the seat that acted, or was acted for, with its clock after that."""
    clock = SeatClock(seat.time_bank_left, seat.timeouts).after_event(
        event, by=by, deadline=row.deadline, now=truncate_to_milliseconds(row.now)
    )
    return seat._replace(time_bank_left=clock.bank, timeouts=clock.timeouts)


def _with_links(then: list[Form], deals: Deals) -> list[Form]:
    """Publish the link of each round that has ended."""
    return [
        {**each, "link": deals.link(each["number"])} if each["type"] == "round_end" else each for each in then
    ]


def _single(then: list[Form], happening: str) -> Form:
    """Return the one thing of this type that an action brought about."""
    return next(each for each in then if each["type"] == happening)


def after_event(row: MatchRow) -> Form:
    """Return what every event changes."""
    return {"version": row.version + 1, "snapshot_version": row.version + 1}


def table_changes(table: Table, timing: TurnTiming) -> Form:
    """Return the columns that say how the table stands, who acts next, until when, when the service acts."""
    return {
        "snapshot": Secret(compact_json.dump_json(table.dump()).decode()),
        "to_act": table.to_act,
        "expects": table.expects,
        "totals": table.totals,
        "attempts": 0,
        **timing._asdict(),
    }


def round_changes(row: MatchRow, table: Table) -> Form:
    """Return the columns that say which round is played, for an event that begins one."""
    return {"round_number": table.round_number, "round_first_version": row.version + 1}


def round_begun(table: Table) -> RoundBegun:
    """Return the round that has just been dealt."""
    return RoundBegun(table.round_number, table.dealer, table.leader, Secret(table.deal_to_json()))


def round_ended(ended: Form) -> RoundEnded:
    """Return a round that has ended, with its link, and its scores unless it was cut short."""
    return RoundEnded(ended["number"], ended["link"], ended["out"], ended["scores"], ended["totals"])


def match_ended(row: MatchRow, result: Form) -> Form:
    """Return the columns of a match that is over: nobody is to act, and its seats are not live any more."""
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
        **TurnTiming()._asdict(),
    }


def rank_without_resigned(result: Form, seats: Sequence[SeatRow]) -> Form:
    """The result of a match that was played out, with seats that were given up ranked last.

    Where an AI played such a seat to the most points, the best of the others win, several if they are equal;
    the reason says so, because by points alone it would have been otherwise.
    """
    if all(seats[winner].state != SeatState.RESIGNED for winner in result["winners"]):
        return result
    return {**result, "winners": best_remaining_seats(result["scores"], seats), "reason": "resigned"}


def rank_resigned_last(then: list[Form], seats: Sequence[SeatRow]) -> None:
    """Correct the result in what an action brought about."""
    for happening in then:
        if happening["type"] == "match_end":
            happening["result"] = rank_without_resigned(happening["result"], seats)


def abandoned_result(event: str, by: str, scores: Sequence[int], seats: Sequence[SeatRow]) -> Form:
    """The result of a match that this event ends before its length is reached."""
    if event == EventType.ANNULLED:
        return {"winners": [], "scores": list(scores), "reason": "annulled"}
    reason = "forfeit" if by == Actor.CLOCK else "resigned"
    return {"winners": best_remaining_seats(scores, seats), "scores": list(scores), "reason": reason}


def best_remaining_seats(scores: Sequence[int], seats: Sequence[SeatRow]) -> list[int]:
    """The seats with the most points among those that were not given up."""
    staying = [seat.number for seat in seats if seat.state != SeatState.RESIGNED]
    most = max(scores[number] for number in staying)
    return [number for number in staying if scores[number] == most]


def commit_or_conflict(event: Event) -> MatchRow:
    """Write an event of a locked match, whose version nobody else changes, and return the match after it."""
    if not commit_event(event.before, event.after, event.entry, rounds=event.rounds, bets=event.bets):
        raise Problem("stale_version")
    return event.after
