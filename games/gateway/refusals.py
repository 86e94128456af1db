"""Translate errors of the engine to errors of the API."""

from collections.abc import Iterator
from contextlib import contextmanager

from engine.combinations.readings import Reading
from engine.errors import Malformed, Refused
from engine.rulebook import Clause
from engine.views.serialization import serialize_reading
from games.core.errors import Problem, invalid_field

# Clients have one code for actions after the end of a round or match.
_CODES = {"round_over": "match_not_active", "match_over": "match_not_active"}


@contextmanager
def translate_refusals(*, current: int = 0, at: str = "") -> Iterator[None]:
    """Raise errors of the engine as `Problem`, with the clause of the rules and the possible readings.

    `current` is the play to beat, by which readings are playable or not; `at` is the JSON pointer to the
    field of the request body that the engine parses.
    """
    try:
        yield
    except Refused as refused:
        raise as_problem(refused, current) from refused
    except Malformed as malformed:
        raise invalid_field(at or _pointer(malformed), malformed.code, malformed.detail) from malformed


def _pointer(malformed: Malformed) -> str:
    """Return the JSON pointer to the malformed field."""
    where = malformed.where.replace("~", "~0").replace("/", "~1")
    return f"/options/{where}" if malformed.code == "invalid_options" else f"/{where}"


def as_problem(refused: Refused, current: int) -> Problem:
    """Convert a violation of the rules to a `Problem`."""
    code = _CODES.get(refused.code, refused.code)
    readings = [reading for reading in refused.readings if isinstance(reading, Reading)]
    if not readings:
        return Problem(code, refused.detail, rule=refused.rule.value)
    serialized = [serialize_reading(reading, current) for reading in readings]
    return Problem(code, refused.detail, rule=refused.rule.value, readings=serialized)


def clause_texts() -> dict[str, str]:
    """Return the text of every clause that the `rule` of an error may refer to."""
    return {clause.value: clause.text for clause in Clause}
