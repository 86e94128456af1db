"""Read a record from JSON, checking its structure only; `engine.records.replay` checks the content.

Anything that may be null may also be missing. The numbers of rounds, actions and characters are bounded.
"""

from typing import Final

from engine.deals.seeds import SEED_LENGTH
from engine.errors import Malformed
from engine.records.fields import (
    child_pointer,
    optional,
    read_choice,
    read_int,
    read_items,
    read_object,
    read_text,
    schema,
)
from engine.records.formats import read_hash, read_points, read_seats
from engine.records.reading_rounds import read_round
from engine.records.record import FORMAT, MOST_ROUNDS, Ending, Record, RecordedResult

_RECORD: Final = schema(
    "format ruleset players seats rounds",
    "match deal_id ruleset_version options target_score rounds_limit anchor client_seeds result",
)
_RESULT: Final = schema("winners scores reason")
_LONGEST_TEXT: Final = 255
_LONGEST_WORD: Final = 64
_MOST_OPTIONS: Final = 32
_LENGTH_BOUNDS: Final = range(1_000_001)


def read_record(value: object) -> Record:
    """Return the record in this JSON value; raise `Malformed` with a JSON pointer if it cannot be read."""
    if isinstance(value, dict) and value.get("format", FORMAT) != FORMAT:
        raise Malformed("unknown_format", f"This is not {FORMAT}.", where="/format")
    fields = read_object(value, "", _RECORD)
    players = read_int(fields["players"], "/players", range(2, 4))
    each_seat = range(players, players + 1)
    rounds = range(MOST_ROUNDS + 1)
    return Record(
        match=optional(fields, "", "match", _read_name),
        deal_id=optional(fields, "", "deal_id", _read_name),
        ruleset=read_text(fields["ruleset"], "/ruleset", _LONGEST_WORD),
        ruleset_version=optional(fields, "", "ruleset_version", _read_word),
        options=optional(fields, "", "options", _read_options) or (),
        players=players,
        target_score=optional(fields, "", "target_score", _read_length),
        rounds_limit=optional(fields, "", "rounds_limit", _read_length),
        seats=read_items(fields["seats"], "/seats", each_seat, _read_name),
        anchor=optional(fields, "", "anchor", read_hash),
        client_seeds=optional(
            fields, "", "client_seeds", lambda seeds, where: read_items(seeds, where, each_seat, _read_seed)
        ),
        rounds=read_items(
            fields["rounds"], "/rounds", rounds, lambda played, where: read_round(played, where, players)
        ),
        result=optional(fields, "", "result", lambda result, where: _read_result(result, where, players)),
    )


def _read_name(value: object, where: str) -> str:
    return read_text(value, where, _LONGEST_TEXT)


def _read_word(value: object, where: str) -> str:
    return read_text(value, where, _LONGEST_WORD)


def _read_seed(value: object, where: str) -> str:
    return read_text(value, where, SEED_LENGTH)


def _read_length(value: object, where: str) -> int:
    return read_int(value, where, _LENGTH_BOUNDS)


def _read_options(value: object, where: str) -> tuple[tuple[str, str], ...]:
    """Return the recorded options in their order."""
    if not isinstance(value, dict):
        raise Malformed("wrong_type", "This is not an object.", where=where)
    if len(value) > _MOST_OPTIONS:
        raise Malformed("wrong_length", f"There are more than {_MOST_OPTIONS} options.", where=where)
    return tuple(
        (_read_word(name, where), _read_word(value[name], child_pointer(where, name))) for name in value
    )


def _read_result(value: object, where: str, players: int) -> RecordedResult:
    fields = read_object(value, where, _RESULT)
    each_seat = range(players, players + 1)
    return RecordedResult(
        winners=read_seats(fields["winners"], f"{where}/winners", players),
        scores=read_items(fields["scores"], f"{where}/scores", each_seat, read_points),
        reason=read_choice(fields["reason"], f"{where}/reason", Ending),
    )
