"""An imported match told again from its record, and compared with what is stored of it."""

from collections.abc import Mapping
from typing import Any

from games import compact_json
from games.gateway.imported import CannotBeTold, Told, tell
from games.matches.store import MatchRow
from games.models import Bet, ImportedRecord, Move, Round, Secret
from games.services.differences import Difference, same
from games.services.importing import bets_of, match_columns, moves_of, rounds_of, times_of

Form = dict[str, Any]


def verify_imported(row: MatchRow) -> Told:
    """The match as its record tells it, which is what is stored; the first difference is raised."""
    match_id, imported_at = row.id, row.imported_at
    record = ImportedRecord.objects.filter(match=match_id).values_list("record", flat=True).first()
    if record is None or imported_at is None:
        raise Difference(match_id, "there is no record of it")
    try:
        told = tell(record)
    except CannotBeTold as fault:
        raise Difference(match_id, f"the record: {fault}") from None
    times = times_of(told, imported_at)
    _compare_rows(match_id, "version", Move, moves_of(told, times))
    _compare_rows(match_id, "number", Round, rounds_of(told, times))
    _compare_rows(match_id, "version", Bet, bets_of(told))
    for name, expected in match_columns(record, told, times).items():
        same(match_id, name, getattr(row, name), expected)
    same(match_id, "the snapshot", compact_json.read(row.snapshot.reveal()), told.table.dump())
    return told


def _compare_rows(match_id: str, key: str, model: Any, expected: list[Form]) -> None:  # noqa: ANN401 -- a model
    """Whether these rows are stored, and no others."""
    stored = {getattr(each, key): each for each in model.objects.filter(match=match_id)}
    same(match_id, f"which {key}s there are", sorted(stored), sorted(each[key] for each in expected))
    for columns in expected:
        _compare_row(f"{key} {columns[key]}", match_id, stored[columns[key]], columns)


def _compare_row(where: str, match_id: str, stored: object, expected: Mapping[str, Any]) -> None:
    for name, value in expected.items():
        same(match_id, f"{where}: {name}", _plain(getattr(stored, name)), _plain(value))


def _plain(value: Any) -> Any:  # noqa: ANN401 -- of any column
    """The deal of a round that has ended is no secret."""
    return value.reveal() if isinstance(value, Secret) else value
