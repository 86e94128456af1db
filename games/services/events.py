"""What an event writes: its row in the log, and everything about the match that it changes."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from games.gateway.clocks import SeatClock
from games.gateway.deals import Deals
from games.gateway.table import Outcome, Table
from games.models import Bet, EventType, Match, MatchStatus, Move, Round, Seat, Secret, Snapshot
from games.selectors.matches import MatchRow, SeatRow
from games.services.clock.timing import Timing, next_timing
from games.services.event_write import EventWrite
from games.services.notices.outbox import notices_of
from games.services.resigned_seats import rank_resigned_last
from games.services.webhooks.outbox import told
from games.times import rfc3339, to_the_millisecond

Form = dict[str, Any]


def log_entry(  # noqa: PLR0913 -- an entry has this many parts, each named where one is made
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
    """The next entry of the log, as clients are given it. `following` is the table after it, if any.

    Nobody is to act in a paused match.
    """
    if row.match.status == MatchStatus.PAUSED:
        following = None
    to_act = None if following is None else following.to_act
    return {
        "version": row.match.version + 1,
        "round": row.match.round_number,
        "seat": seat,
        "type": event,
        "cards": None,
        "combination": None,
        "wilds": None,
        "amount": None,
        "to": None,
        **(said or {}),
        "by": by,
        "at": rfc3339(row.now),
        "then": then or [],
        "next": {
            "to_act": to_act,
            "expects": None if following is None or to_act is None else following.expects,
            "deadline": rfc3339(deadline),
        },
    }


def write_entry(
    row: MatchRow, entry: Form, *, in_time: bool, after: tuple[SeatRow, ...] | None = None
) -> EventWrite:
    """The write of an event: so far its log row, the new version, and what is left to be sent of it.

    `after` are the seats as they are then, where the event changes who sits on them.
    """
    write = EventWrite(row.match.pk, row.match.version, in_time=in_time)
    write.insert(
        Move,
        match=row.match.pk,
        version=entry["version"],
        round_number=entry["round"],
        type=entry["type"],
        seat=entry["seat"],
        by=entry["by"],
        at=row.now,
        entry=entry,
    )
    seats = row.seats if after is None else after
    write.follow(*told(row, entry, seats).written())
    for notice in notices_of(row, entry, seats):
        write.follow(*notice.written())
    return write


def write_outcome(
    row: MatchRow, outcome: Outcome, event: str, *, seat: int, by: str, in_time: bool
) -> tuple[EventWrite, Form, MatchRow]:
    """The write of an action at the table, its log entry, and the match with its seats after it."""
    deals = row.deals() if outcome.round_ended else None
    if deals is not None:
        publish_links(outcome.then, deals)
        rank_resigned_last(outcome.then, row.seats)
    acted = _after_acting(row, row.seats[seat], event, by)
    after = row.with_seat(acted)
    timing = next_timing(after, outcome.table, event=event)
    entry = log_entry(
        row,
        event,
        by=by,
        seat=seat,
        said=outcome.said,
        then=outcome.then,
        following=outcome.table,
        deadline=timing.deadline,
    )
    write = write_entry(row, entry, in_time=in_time)
    if event == EventType.BET:
        _keep_bet(write, row, seat, entry["amount"])
    keep_table(write, row, outcome.table, timing)
    if deals is not None:
        end_round(write, row, _the(outcome.then, "round_end"))
    if outcome.table.to_act is None:
        end_match(write, after, _the(outcome.then, "match_end")["result"])
        return write, entry, after
    if deals is not None:
        begin_round(write, row, outcome.table)
    if acted != row.seats[seat]:
        keep_clock(write, row, acted)
    return write, entry, after


def _after_acting(row: MatchRow, seat: SeatRow, event: str, by: str) -> SeatRow:
    """The seat that acted, or was acted for, with its clock as that leaves it."""
    clock = SeatClock(seat.time_bank_left, seat.timeouts).after(
        event, by=by, deadline=row.match.deadline, now=to_the_millisecond(row.now)
    )
    return seat._replace(time_bank_left=clock.bank, timeouts=clock.timeouts)


def keep_clock(write: EventWrite, row: MatchRow, seat: SeatRow) -> None:
    """Keep what is left of a seat's time bank, and its timeouts."""
    write.update(Seat, {"match": row.match.pk, "number": seat.number}, **_clock(seat))


def _clock(seat: SeatRow) -> Form:
    return {"time_bank_left": seat.time_bank_left, "timeouts": seat.timeouts}


def _the(then: list[Form], happening: str) -> Form:
    """The one thing of this type that an action brought about."""
    return next(each for each in then if each["type"] == happening)


def _keep_bet(write: EventWrite, row: MatchRow, seat: int, amount: int) -> None:
    """The bet by itself, so that the database sees to it that there is one."""
    write.insert(
        Bet,
        match=row.match.pk,
        round_number=row.match.round_number,
        seat=seat,
        amount=amount,
        version=row.match.version + 1,
    )


def publish_links(then: list[Form], deals: Deals) -> None:
    """Show the link of each round that has ended."""
    for happening in then:
        if happening["type"] == "round_end":
            happening["link"] = deals.link(happening["number"])


def keep_table(write: EventWrite, row: MatchRow, table: Table, timing: Timing) -> None:
    """Keep the table, who acts next, until when, and when the service has to."""
    write.update(Snapshot, {"match": row.match.pk}, version=row.match.version + 1, state=Secret(table.dump()))
    write.changes |= {
        "to_act": table.to_act,
        "expects": table.expects,
        "totals": table.totals,
        "attempts": 0,
        **timing.columns,
    }


def begin_round(write: EventWrite, row: MatchRow, table: Table) -> None:
    """Keep the deal of a round that begins with this event."""
    version = row.match.version + 1
    write.changes |= {"round_number": table.round_number, "round_first_version": version}
    write.insert(
        Round,
        match=row.match.pk,
        number=table.round_number,
        dealer=table.dealer,
        leader=table.leader,
        deal=Secret(table.deal_form()),
        first_version=version,
        out=[],
        link="",
    )


def end_round(write: EventWrite, row: MatchRow, ended: Form) -> None:
    """Lay a round open: its link, and its scores unless it was cut short."""
    write.update(
        Round,
        {"match": row.match.pk, "number": ended["number"]},
        last_version=row.match.version + 1,
        ended_at=row.now,
        link=ended["link"],
        out=ended["out"],
        scores=ended["scores"],
        totals=ended["totals"],
    )


def end_match(write: EventWrite, row: MatchRow, result: Form) -> None:
    """Close a match: nobody is to act any more, and its seats stay as they are in `row`, live no more."""
    write.changes |= {
        "status": MatchStatus.FINISHED,
        "result": result,
        "finished_at": row.now,
        "to_act": None,
        "expects": "",
        **Timing().columns,
    }
    for seat in row.seats:
        number = {"match": row.match.pk, "number": seat.number}
        write.update(Seat, number, live=False, state=seat.state, standing_trick="", asks="", **_clock(seat))


def moved_on(match: Match, write: EventWrite) -> None:
    """Bring a match that was read up to what has been written."""
    for name, value in write.changes.items():
        setattr(match, name, value)
    match.version = write.version + 1
