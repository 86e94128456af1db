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
from games.gateway.records import ImportedMatch, ImportRefused, parse_ai_level, read_match
from games.identity.models import Player
from games.matches.models.log import Bet, Move, Round, Snapshot
from games.matches.models.match import PREFIX, Match, MatchStatus, Seat, SeatState, Visibility
from games.matches.store import find_match
from games.records.models import ImportedRecord
from games.records.queries import build_match_record

Form = dict[str, Any]

_AN_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
_MAX_LEVEL_LENGTH: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """How to take records in. `players` are the accounts here that names in records stand for."""

    maker: Player
    visibility: str = Visibility.UNLISTED
    players: Mapping[str, Player] = field(default_factory=dict)


def import_record(*, record: Form, wishes: ImportOptions) -> tuple[str, bool]:
    """Store the match of a record; its id, and whether it is new. What is here already stays as it is."""
    told = read_match(record)
    match_id = match_id_for(record)
    if _already_imported(match_id, record):
        return match_id, False
    try:
        with transaction.atomic():
            _store(match_id, record, told, wishes)
    except IntegrityError:
        raise ImportRefused(f"There is a match {match_id} now, or one player sits there twice.") from None
    return match_id, True


def match_id_for(record: Form) -> str:
    """The id that the record says, or one that follows from all of it, so that it is the same every time."""
    if record["match"] is None:
        digest = hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
        return f"{PREFIX}r{digest[:29]}"
    if not _AN_ID.fullmatch(record["match"]):
        raise ImportRefused("/match: This can be no id here: up to 32 letters, digits, - and _.")
    return str(record["match"])


def _already_imported(match_id: str, record: Form) -> bool:
    """Whether this very record is here; refused where another match has its id."""
    there = find_match(match_id)
    if there is None:
        return False
    if there.result is None or build_match_record(there) != record:
        raise ImportRefused(f"There is another match {match_id} here.")
    return True


def _store(match_id: str, record: Form, told: ImportedMatch, wishes: ImportOptions) -> None:
    now = timezone.now()
    times = times_of(told, now)
    match = Match.objects.create(
        id=match_id,
        maker=wishes.maker,
        visibility=wishes.visibility,
        imported_at=now,
        **match_columns(record, told, times),
    )
    ImportedRecord.objects.create(match=match, record=record)
    Snapshot.objects.create(match=match, version=match.version, state=Secret(told.table.dump()))
    seats = enumerate(_seats(record, told, wishes.players))
    Seat.objects.bulk_create([Seat(match=match, number=number, **columns) for number, columns in seats])
    Move.objects.bulk_create([Move(match=match, **columns) for columns in moves_of(told, times)])
    Round.objects.bulk_create([Round(match=match, **columns) for columns in rounds_of(told, times)])
    Bet.objects.bulk_create([Bet(match=match, **columns) for columns in bets_of(told)])


def times_of(told: ImportedMatch, imported_at: datetime) -> list[datetime]:
    """When each entry was: where the record does not say, when the one before it was, or the first known."""
    known = [parse_time(entry["at"]) for entry in told.entries]
    last = next((each for each in known if each is not None), imported_at)
    times = []
    for each in known:
        last = each or last
        times.append(last)
    return times


def moves_of(told: ImportedMatch, times: Sequence[datetime]) -> list[Form]:
    """The columns of the log."""
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
        for entry, at in zip(told.entries, times, strict=True)
    ]


def rounds_of(told: ImportedMatch, times: Sequence[datetime]) -> list[Form]:
    """The columns of the rounds."""
    return [
        {
            **each,
            "deal": Secret(each["deal"]),
            "ended_at": times[each["last_version"] - 1],
            "unproven": not each["link"],
        }
        for each in told.rounds
    ]


def bets_of(told: ImportedMatch) -> list[Form]:
    """The columns of the bets."""
    return [
        {
            "round_number": entry["round"],
            "seat": entry["seat"],
            "amount": entry["amount"],
            "version": entry["version"],
        }
        for entry in told.entries
        if entry["type"] == "bet"
    ]


def match_columns(record: Form, told: ImportedMatch, times: Sequence[datetime]) -> Form:
    """What the match's own row says of what was agreed and of how it ended."""
    agreement = told.agreement
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
        "version": len(told.entries),
        "round_number": told.rounds[-1]["number"],
        "round_first_version": told.rounds[-1]["first_version"],
        "totals": told.table.totals,
        "result": told.result,
        "created_at": times[0],
        "started_at": times[0],
        "finished_at": times[-1],
    }


def _seats(record: Form, told: ImportedMatch, players: Mapping[str, Player]) -> list[Form]:
    """Who sat there: an AI of a level, an account that was named for it, or a name that is nobody's here."""
    gone = {entry["seat"] for entry in told.entries if entry["type"] == "resigned"}
    seeds = record["client_seeds"] or [""] * record["players"]
    return [
        {
            **_holder(name, players),
            "state": SeatState.RESIGNED if number in gone else SeatState.PLAYING,
            "client_seed": seed,
            "live": False,
        }
        for number, (name, seed) in enumerate(zip(record["seats"], seeds, strict=True))
    ]


def _holder(name: str, players: Mapping[str, Player]) -> Form:
    level = parse_ai_level(name)
    if name in players:
        return {"player": players[name], "imported_name": name}
    if 0 < len(level) <= _MAX_LEVEL_LENGTH:
        return {"level": level}
    return {"imported_name": name or "?"}
