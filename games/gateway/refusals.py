"""Translate errors of the engine to errors of the API."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils.translation import gettext_lazy

from engine.combinations.readings import Reading
from engine.errors import Malformed, Refused
from engine.rulebook import Clause
from engine.views.serialization import serialize_reading
from games.core.errors import Problem, invalid_field
from games.core.languages import message

# Clients have one code for actions after the end of a round or match.
_CODES = {"round_over": "match_not_active", "match_over": "match_not_active"}


@contextmanager
def translate_refusals(*, at: str = "") -> Iterator[None]:
    """Raise errors of the engine as `as_problem` converts them."""
    try:
        yield
    except (Refused, Malformed) as error:
        raise as_problem(error, at=at) from error


def as_problem(error: Refused | Malformed, *, current: int = 0, at: str = "") -> Problem:
    """Convert an error of the engine to a `Problem`, with the clause of the rules and the possible readings.

    `current` is the play to beat, by which readings are playable or not; `at` is the JSON pointer to the
    field of the request body that the engine parses.
    """
    # The engine knows no languages: its words are translated like its templates.
    words = {
        name: gettext_lazy(value) if isinstance(value, str) and value else value
        for name, value in error.values.items()
    }
    detail = message(error.template, **words)
    if isinstance(error, Malformed):
        return invalid_field(at or _pointer(error), error.code, detail)
    code = _CODES.get(error.code, error.code)
    readings = [reading for reading in error.readings if isinstance(reading, Reading)]
    if not readings:
        return Problem(code, detail, rule=error.rule.value)
    serialized = [serialize_reading(reading, current) for reading in readings]
    return Problem(code, detail, rule=error.rule.value, readings=serialized)


def _pointer(malformed: Malformed) -> str:
    """Return the JSON pointer to the malformed field."""
    where = malformed.where.replace("~", "~0").replace("/", "~1")
    return f"/options/{where}" if malformed.code == "invalid_options" else f"/{where}"


def clause_texts() -> dict[str, str]:
    """Return the text of every clause that the `rule` of an error may refer to."""
    return {clause.value: clause.text for clause in Clause}
