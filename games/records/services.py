"""Import matches from records."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from games.core.secrets import Secret
from games.core.times import format_time, parse_time
from games.gateway.agreement import ENGINE_VERSION
from games.gateway.documents import RecordDocument
from games.gateway.records import ImportedMatch, ImportRefused, parse_ai_level, read_match
from games.identity.models import Player
from games.matches.models.log import Bet, Move, Round, Snapshot
from games.matches.models.match import PREFIX, Match, MatchStatus, Seat, SeatState, Visibility
from games.matches.store import find_match
from games.records.models import ImportedRecord
from games.records.queries import build_match_record

# The values of a row to insert, by column.
Columns = dict[str, Any]

_MATCH_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
_MAX_LEVEL_LENGTH: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """Options of an import; `players` maps names in records to accounts on this server."""

    maker: Player
    visibility: str = Visibility.UNLISTED
    players: Mapping[str, Player] = field(default_factory=dict)


def import_record(*, record: RecordDocument, options: ImportOptions) -> tuple[str, bool]:
    """Store the match of a record; return its ID and whether it is new.

    A match that has already been imported from the same record is left unchanged.
    """
    imported = read_match(record)
    match_id = match_id_for(record)
    if _already_imported(match_id, record):
        return match_id, False
    try:
        with transaction.atomic():
            _store(match_id, record, imported, options)
    except IntegrityError:
        raise ImportRefused(f"Match {match_id} was created meanwhile, or one player has two seats.") from None
    return match_id, True


def match_id_for(record: RecordDocument) -> str:
    """Return the match ID in the record, or else one derived from a hash of the whole record."""
    if record["match"] is None:
        digest = hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
        return f"{PREFIX}r{digest[:29]}"
    if not _MATCH_ID.fullmatch(record["match"]):
        raise ImportRefused("/match: This is not a valid ID. Use up to 32 letters, digits, - and _.")
    return str(record["match"])


def _already_imported(match_id: str, record: RecordDocument) -> bool:
    """Return whether this record has already been imported; refuse it if another match has its ID."""
    existing = find_match(match_id)
    if existing is None:
        return False
    if existing.result is None or build_match_record(existing) != record:
        raise ImportRefused(f"The ID {match_id} belongs to another match.")
    return True


def _store(match_id: str, record: RecordDocument, imported: ImportedMatch, options: ImportOptions) -> None:
    now = timezone.now()
    times = entry_times(imported, now)
    match = Match.objects.create(
        id=match_id,
        maker=options.maker,
        visibility=options.visibility,
        imported_at=now,
        **match_columns(record, imported, times),
    )
    ImportedRecord.objects.create(match=match, record=record)
    Snapshot.objects.create(match=match, version=match.version, state=Secret(imported.table.dump()))
    seats = enumerate(_seat_columns(record, imported, options.players))
    Seat.objects.bulk_create([Seat(match=match, number=number, **columns) for number, columns in seats])
    Move.objects.bulk_create([Move(match=match, **columns) for columns in move_columns(imported, times)])
    Round.objects.bulk_create([Round(match=match, **columns) for columns in round_columns(imported, times)])
    Bet.objects.bulk_create([Bet(match=match, **columns) for columns in bet_columns(imported)])


def entry_times(imported: ImportedMatch, imported_at: datetime) -> list[datetime]:
    """Return the time of each log entry.

    An entry without a time gets that of the previous entry; leading ones get the first known time.
    """
    known = [parse_time(entry["at"]) for entry in imported.entries]
    last = next((each for each in known if each is not None), imported_at)
    times = []
    for each in known:
        last = each or last
        times.append(last)
    return times


def move_columns(imported: ImportedMatch, times: Sequence[datetime]) -> list[Columns]:
    """Return the columns of each `Move`."""
    return [
        {
            "version": entry["version"],
            "round_number": entry["round"],
            "type": entry["type"],
            "seat": entry["seat"],
            "by": entry["by"],
            "at": at,
            "entry": {**entry, "at": format_time(at)},
        }
        for entry, at in zip(imported.entries, times, strict=True)
    ]


def round_columns(imported: ImportedMatch, times: Sequence[datetime]) -> list[Columns]:
    """Return the columns of each `Round`."""
    return [
        {
            **each,
            "deal": Secret(each["deal"]),
            "ended_at": times[each["last_version"] - 1],
            "unproven": not each["link"],
        }
        for each in imported.rounds
    ]


def bet_columns(imported: ImportedMatch) -> list[Columns]:
    """Return the columns of each `Bet`."""
    return [
        {
            "round_number": entry["round"],
            "seat": entry["seat"],
            "amount": entry["amount"],
            "version": entry["version"],
        }
        for entry in imported.entries
        if entry["type"] == "bet"
    ]


def match_columns(record: RecordDocument, imported: ImportedMatch, times: Sequence[datetime]) -> Columns:
    """Return the columns of the `Match` that follow from its record."""
    agreement = imported.agreement
    return {
        "ruleset": agreement.ruleset,
        "ruleset_version": agreement.ruleset_version,
        "engine_version": ENGINE_VERSION,
        "options": dict(agreement.options),
        "players": agreement.players,
        "target_score": agreement.target_score,
        "rounds_limit": agreement.rounds_limit,
        "vacations": False,
        "anchor": record["anchor"] or "",
        "status": MatchStatus.FINISHED,
        "version": len(imported.entries),
        "round_number": imported.rounds[-1]["number"],
        "round_first_version": imported.rounds[-1]["first_version"],
        "totals": imported.table.totals,
        "result": imported.result,
        "created_at": times[0],
        "started_at": times[0],
        "finished_at": times[-1],
    }


def _seat_columns(
    record: RecordDocument, imported: ImportedMatch, players: Mapping[str, Player]
) -> list[Columns]:
    """Return the columns of each `Seat`.

    A seat is taken by an AI, by the account that its name is mapped to, or only by a name.
    """
    resigned = {entry["seat"] for entry in imported.entries if entry["type"] == "resigned"}
    seeds = record["client_seeds"] or [""] * record["players"]
    return [
        {
            **_occupant_columns(name, players),
            "state": SeatState.RESIGNED if number in resigned else SeatState.PLAYING,
            "client_seed": seed,
            "live": False,
        }
        for number, (name, seed) in enumerate(zip(record["seats"], seeds, strict=True))
    ]


def _occupant_columns(name: str, players: Mapping[str, Player]) -> Columns:
    level = parse_ai_level(name)
    if name in players:
        return {"player": players[name], "imported_name": name}
    if 0 < len(level) <= _MAX_LEVEL_LENGTH:
        return {"level": level}
    return {"imported_name": name or "?"}
