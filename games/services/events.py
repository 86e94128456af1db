"""What an event writes: its row in the log, and everything about the match that it changes."""

import random
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings

from games.gateway.deals import Deals
from games.gateway.table import Outcome, Table
from games.models import Bet, EventType, Match, MatchStatus, Move, Round, Seat, Secret, Snapshot
from games.selectors.matches import MatchRow, SeatRow
from games.services.event_write import EventWrite
from games.services.resigned_seats import rank_resigned_last
from games.times import rfc3339

Form = dict[str, Any]

# A standing order is carried out after a random while, so that it cannot be told from a player's own pass.
STANDING_ORDER_SECONDS: Final = (2.0, 10.0)
_RANDOM: Final = random.SystemRandom()


def log_entry(  # noqa: PLR0913 -- an entry has this many parts, each named where one is made
    row: MatchRow,
    event: str,
    *,
    by: str,
    seat: int | None = None,
    said: Mapping[str, Any] | None = None,
    then: list[Form] | None = None,
    following: Table | None = None,
) -> Form:
    """The next entry of the log, as clients are given it. `following` is the table after it, if any."""
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
            "deadline": None,
        },
    }


def write_entry(row: MatchRow, entry: Form, *, in_time: bool) -> EventWrite:
    """The write of an event: so far its log row and the new version."""
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
    return write


def write_outcome(
    row: MatchRow, outcome: Outcome, event: str, *, seat: int, by: str, in_time: bool
) -> tuple[EventWrite, Form]:
    """The write of an action at the table, and its log entry."""
    deals = row.deals() if outcome.round_ended else None
    if deals is not None:
        publish_links(outcome.then, deals)
        rank_resigned_last(outcome.then, row.seats)
    entry = log_entry(
        row, event, by=by, seat=seat, said=outcome.said, then=outcome.then, following=outcome.table
    )
    write = write_entry(row, entry, in_time=in_time)
    if event == EventType.BET:
        _keep_bet(write, row, seat, entry["amount"])
    keep_table(write, row, outcome.table)
    if deals is not None:
        end_round(write, row, _the(outcome.then, "round_end"))
        if outcome.table.to_act is None:
            end_match(write, row, _the(outcome.then, "match_end")["result"])
        else:
            begin_round(write, row, outcome.table)
    return write, entry


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


def keep_table(write: EventWrite, row: MatchRow, table: Table) -> None:
    """Keep the table, who acts next, and when the service has to."""
    write.update(Snapshot, {"match": row.match.pk}, version=row.match.version + 1, state=Secret(table.dump()))
    write.changes |= {
        "to_act": table.to_act,
        "expects": table.expects,
        "totals": table.totals,
        "wake_at": wake_at(row, table),
        "attempts": 0,
    }


def wake_at(row: MatchRow, table: Table) -> datetime | None:
    """When the service has to act for the seat whose turn it is, None when that is the player's affair."""
    if table.to_act is None:
        return None
    seat = row.seats[table.to_act]
    if seat.is_automatic:
        return row.now + timedelta(seconds=settings.HAGGIS_AI_WAIT_SECONDS if people_play(row.seats) else 0)
    if seat.standing_trick == table.standing_trick(seat.number) and table.may_be_passed:
        return row.now + timedelta(seconds=_RANDOM.uniform(*STANDING_ORDER_SECONDS))
    return None


def people_play(seats: tuple[SeatRow, ...]) -> bool:
    """Whether anybody sits there for whom an AI's thinking time could tell something."""
    return any(not seat.is_automatic for seat in seats)


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
    """Close a match: nobody is to act any more, and its seats are no longer live."""
    write.changes |= {
        "status": MatchStatus.FINISHED,
        "result": result,
        "finished_at": row.now,
        "to_act": None,
        "expects": "",
        "wake_at": None,
        "deadline": None,
    }
    write.update(Seat, {"match": row.match.pk}, live=False)


def moved_on(match: Match, write: EventWrite) -> None:
    """Bring a match that was read up to what has been written."""
    for name, value in write.changes.items():
        setattr(match, name, value)
    match.version = write.version + 1
