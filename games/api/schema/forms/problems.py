"""How the service says no."""

from rest_framework import serializers

from games.api.schema.fields import Form, enumeration, list_of
from games.api.schema.forms.combinations import ReadingForm, named_clause
from games.api.shapes import Text, Whole
from games.errors import CODES, FIELD_CODES, HELPS

problem_code = enumeration("ProblemCode", CODES, "Why not: stable, for programs. More may come.")
field_code = enumeration("FieldCode", FIELD_CODES, "What is wrong with a field: stable. More may come.")


def _with(member: str, meaning: str) -> str:
    """What a member means, and the codes that it comes with, in their order."""
    codes = [f"`{code}`" for code in CODES if code in HELPS[member]]
    return f"With {', '.join(codes)}: {meaning}"


class FieldErrorForm(Form):
    """What is wrong with one part of a body."""

    pointer = Text(allow_blank=True, help_text="Where, as a JSON pointer; empty for the whole body.")
    code = field_code()
    detail = Text(help_text="The same for people.")


class ProblemForm(Form):
    """A refusal (RFC 9457). Go by `code`; `title` and `detail` are for people."""

    type = Text(help_text="A URN made from the code.")
    title = Text(help_text="What the code means.")
    status = Whole(min_value=400, max_value=599, help_text="The status of the answer.")
    detail = Text(help_text="What it is this time.")
    code = problem_code()
    errors = FieldErrorForm(  # type: ignore[assignment]  # the metaclass takes it out of the class
        many=True,
        required=False,
        help_text="With `validation_error`: all that is wrong, each with its place.",
    )
    version = Whole(min_value=0, required=False, help_text=_with("version", "the version now."))
    readings = ReadingForm(many=True, required=False, help_text=_with("readings", "what the cards can be."))
    rule = named_clause(required=False, help_text="Where a rule decides: the clause that is broken.")
    retry_after = Whole(min_value=0, required=False, help_text=_with("retry_after", "seconds to wait."))
    parameter = Text(required=False, help_text=_with("parameter", "which."))
    scopes = list_of(Text(), required=False, help_text=_with("scopes", "any one of these is needed."))
    seat = Whole(min_value=0, required=False, help_text=_with("seat", "the seat that is yours."))
    largest = serializers.IntegerField(required=False, help_text=_with("largest", "how many one may have."))
