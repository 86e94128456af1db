"""Build and select the records of matches."""

from collections.abc import Iterable, Iterator
from typing import Final

from games.core.errors import Problem
from games.core.languages import message
from games.gateway.documents import RecordDocument
from games.gateway.records import TURNS, RecordHeader, build_record
from games.matches.models.log import Move
from games.matches.models.match import Match, MatchStatus, Visibility
from games.matches.queries import render_rounds
from games.matches.store import MatchRow, SeatRow, find_match
from games.records.models import ImportedRecord


def build_match_record(row: MatchRow) -> RecordDocument:
    """Return the record of a match; for an imported match, the record that it was imported from."""
    if row.imported_at is not None:
        imported: RecordDocument = ImportedRecord.objects.get(match=row.id).record
        return imported
    ended_rounds = [each for each in render_rounds(row) if each["link"] is not None]
    turns = Move.objects.filter(
        match_id=row.id, type__in=TURNS, round_number__in=[each["number"] for each in ended_rounds]
    )
    header = RecordHeader(
        match_id=row.id,
        ruleset=row.ruleset,
        ruleset_version=row.ruleset_version,
        options=row.options,
        players=row.players,
        target_score=row.target_score,
        rounds_limit=row.rounds_limit,
        seats=[_name(seat) for seat in row.seats],
        anchor=row.anchor,
        client_seeds=list(row.seeds),
        result=row.result,
    )
    return build_record(header, ended_rounds, turns.order_by("version").values_list("entry", flat=True))


def _name(seat: SeatRow) -> str:
    return seat.username or (f"ai:{seat.level}" if seat.level else "")


BATCH_SIZE: Final = 1000


def iter_records(*, finished: bool, private: bool) -> Iterator[RecordDocument]:
    """Yield the records of all matches that have begun, in the order of their creation."""
    matches = Match.objects.exclude(started_at=None)
    if finished:
        matches = matches.filter(status=MatchStatus.FINISHED)
    if not private:
        matches = matches.exclude(visibility=Visibility.PRIVATE)
    ids, last = matches.order_by("pk").values_list("pk", flat=True), ""
    while page := list(ids.filter(pk__gt=last)[:BATCH_SIZE]):
        for last in page:
            yield exportable_record(last, private=private)


def exportable_record(match_id: str, *, private: bool) -> RecordDocument:
    """Return the record of a match.

    Raise `not_found` if there is no such match, or if it is private and `private` is false.
    """
    row = find_match(match_id)
    if row is None or (row.visibility == Visibility.PRIVATE and not private):
        raise Problem("not_found", message("There is no match {match_id} to export.", match_id=match_id))
    return build_match_record(row)


def iter_records_of(match_ids: Iterable[str], *, finished: bool, private: bool) -> Iterator[RecordDocument]:
    """Yield the records of these matches in the given order, optionally only of finished matches."""
    for match_id in match_ids:
        record = exportable_record(match_id, private=private)
        if record["result"] is not None or not finished:
            yield record
