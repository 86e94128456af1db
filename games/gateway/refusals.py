"""What the engine says no with, as the service says it."""

from collections.abc import Iterator
from contextlib import contextmanager

from engine.combinations.readings import Reading
from engine.errors import Malformed, Refused
from engine.rulebook import Clause
from engine.views.serialization import serialize_reading
from games.core.errors import Problem, invalid_field

# A round or a match that is over cannot be acted on: clients know one code for that.
_CODES = {"round_over": "match_not_active", "match_over": "match_not_active"}


@contextmanager
def translate_refusals(*, current: int = 0, at: str = "") -> Iterator[None]:
    """Let what the engine refuses be refused by the service, with the clause and the readings.

    `current` is the play on the table, on which the readings are judged; `at` points to the field of a body
    that the engine is given to read.
    """
    try:
        yield
    except Refused as refused:
        raise as_problem(refused, current) from refused
    except Malformed as malformed:
        raise invalid_field(at or _pointer(malformed), malformed.code, malformed.detail) from malformed


def _pointer(malformed: Malformed) -> str:
    """The field of a body that could not be read."""
    where = malformed.where.replace("~", "~0").replace("/", "~1")
    return f"/options/{where}" if malformed.code == "invalid_options" else f"/{where}"


def as_problem(refused: Refused, current: int) -> Problem:
    """One refusal by the rules."""
    code = _CODES.get(refused.code, refused.code)
    readings = [reading for reading in refused.readings if isinstance(reading, Reading)]
    if not readings:
        return Problem(code, refused.detail, rule=refused.rule.value)
    forms = [serialize_reading(reading, current) for reading in readings]
    return Problem(code, refused.detail, rule=refused.rule.value, readings=forms)


def clause_texts() -> dict[str, str]:
    """Every clause that a `rule` may name, in words."""
    return {clause.value: clause.text for clause in Clause}
