"""Read the records of one match or of many."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from games.core.errors import Problem
from games.gateway.records import TURNS, build_record
from games.matches.models.log import Move
from games.matches.models.match import Match, MatchStatus, Visibility
from games.matches.queries import render_agreement, render_rounds
from games.matches.store import MatchRow, SeatRow, find_match
from games.records.models import ImportedRecord

Form = dict[str, Any]


def build_match_record(row: MatchRow) -> Form:
    """The portable record of a match that was read; of an imported one, the record that it was taken from."""
    if row.imported_at is not None:
        return dict(ImportedRecord.objects.get(match=row.id).record)
    ended = [each for each in render_rounds(row) if each["link"] is not None]
    turns = Move.objects.filter(
        match_id=row.id, type__in=TURNS, round_number__in=[each["number"] for each in ended]
    )
    match = render_agreement(row) | {
        "names": [_name(seat) for seat in row.seats],
        "anchor": row.anchor,
        "client_seeds": list(row.seeds),
        "result": row.result,
    }
    return build_record(match, ended, turns.order_by("version").values_list("entry", flat=True))


def _name(seat: SeatRow) -> str:
    return seat.username or (f"ai:{seat.level}" if seat.level else "")


AT_ONCE: Final = 1000


def records(*, finished: bool, private: bool) -> Iterator[Form]:
    """The record of every match that has begun, in the order in which they were made."""
    matches = Match.objects.exclude(started_at=None)
    if finished:
        matches = matches.filter(status=MatchStatus.FINISHED)
    if not private:
        matches = matches.exclude(visibility=Visibility.PRIVATE)
    ids, last = matches.order_by("pk").values_list("pk", flat=True), ""
    while page := list(ids.filter(pk__gt=last)[:AT_ONCE]):
        for last in page:
            yield record_named(last, private=private)


def record_named(match_id: str, *, private: bool) -> Form:
    """The record of one match; 404 for one that is not there, or private and not asked for as such."""
    row = find_match(match_id)
    if row is None or (row.visibility == Visibility.PRIVATE and not private):
        raise Problem("not_found", f"There is no match {match_id} to export.")
    return build_match_record(row)


def records_named(match_ids: Iterable[str], *, finished: bool, private: bool) -> Iterator[Form]:
    """The records of these matches, in this order; of the finished ones alone, if that is asked for."""
    for match_id in match_ids:
        record = record_named(match_id, private=private)
        if record["result"] is not None or not finished:
            yield record
