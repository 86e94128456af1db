"""The record of a match as it stands: its rounds that have ended, whole."""

from typing import Any

from games.gateway.records import TURNS, record_form
from games.matches.store import MatchRow, SeatRow
from games.models import ImportedRecord, Move
from games.selectors.history import rounds_shown
from games.selectors.table_form import agreement_form

Form = dict[str, Any]


def record_of(row: MatchRow) -> Form:
    """The portable record of a match that was read; of an imported one, the record that it was taken from."""
    if row.imported_at is not None:
        return dict(ImportedRecord.objects.get(match=row.id).record)
    ended = [each for each in rounds_shown(row) if each["link"] is not None]
    turns = Move.objects.filter(
        match_id=row.id, type__in=TURNS, round_number__in=[each["number"] for each in ended]
    )
    match = agreement_form(row) | {
        "names": [_name(seat) for seat in row.seats],
        "anchor": row.anchor,
        "client_seeds": list(row.seeds),
        "result": row.result,
    }
    return record_form(match, ended, turns.order_by("version").values_list("entry", flat=True))


def _name(seat: SeatRow) -> str:
    return seat.username or (f"ai:{seat.level}" if seat.level else "")
