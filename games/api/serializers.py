"""Strict request serializers, which reject unknown members and wrong types."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache, cached_property
from typing import Any, ClassVar, Final, TypeVar

from django.core.exceptions import ValidationError as DjangoValidationError
from django.core.validators import validate_email
from django.utils.dateparse import parse_datetime
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from games.core.errors import FIELD_CODES, FieldError, Problem
from games.core.languages import Text, message

# The largest integer that JavaScript and other double-based JSON parsers read exactly.
MAX_INTEGER: Final = 2**53 - 1

_CODE_MAP: Final = {
    "max_length": "too_long",
    "min_length": "too_short",
    "max_value": "too_large",
    "min_value": "too_small",
    "invalid_choice": "unknown_value",
    "empty": "too_short",
    "not_a_dict": "not_an_object",
}
# Codes for which the message of DRF is more precise, because it names the limit of the field.
_CODES_WITH_DRF_MESSAGE: Final = frozenset({"too_long", "too_short", "too_large", "too_small"})


Body = TypeVar("Body")


class RequestSerializer(serializers.Serializer[Body]):
    """A serializer that rejects unknown members by name. `Body` is the type of the validated data.

    `defaults` documents the default of each optional member in the schema; the services apply them.
    """

    defaults: ClassVar[Mapping[str, object]] = {}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Validate every member and reject unknown ones."""
        if not isinstance(data, Mapping):
            raise _validation_error("not_an_object")
        values: dict[str, Any] = {}
        errors: dict[str, Any] = {}
        for name, field in self._members.items():
            if name not in data:
                if field.required:
                    errors[name] = [_error_detail("required")]
                continue
            try:
                values[name] = field.run_validation(data[name])
            except ValidationError as error:
                errors[name] = error.detail
        errors |= {name: [_error_detail("unknown_field")] for name in data if name not in self._members}
        if errors:
            raise ValidationError(errors)
        return values

    @cached_property
    def _members(self) -> dict[str, "serializers.Field[Any, Any, Any, Any]"]:
        """The fields by the names of their members."""
        return dict(self.fields)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Report null as `not_an_object`, like any other value that is not an object."""
        if data is None and not self.allow_null and self.parent is None:
            raise _validation_error("not_an_object")
        return super().run_validation(data)

    @classmethod
    def requires_body(cls) -> bool:
        """Return whether any member is required."""
        return any(field.required for field in cached_serializer(cls).fields.values())


class EmptyRequestSerializer(RequestSerializer[Any]):
    """The body of a request without parameters: an empty object."""


class StringField(serializers.CharField):
    """A string; surrounding whitespace is preserved."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"trim_whitespace": False, **options})

    def to_internal_value(self, data: Any) -> str:
        """Accept strings only."""
        if not isinstance(data, str):
            raise _validation_error("not_a_string")
        return data


_CARD: Final = re.compile("([2-9T][roygb]|[JQK])")


class Card(StringField):
    """The code of a card."""

    component: ClassVar = "Card"
    schema_extra: ClassVar = {
        "pattern": f"^{_CARD.pattern}$",
        "description": "A rank `2` to `9` or `T` with a suit `r o y g b`; or a face card `J`, `Q`, `K`.",
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"allow_blank": True, **options})

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Report every string that is not a card as `unknown_card`, even if it is too long."""
        code: str = super().run_validation(data)
        if not _CARD.fullmatch(code):
            raise _validation_error("unknown_card")
        return code


class EmailField(StringField):
    """An e-mail address."""

    schema_extra: ClassVar = {"format": "email"}

    def to_internal_value(self, data: Any) -> str:
        """Accept well-formed e-mail addresses only."""
        address = super().to_internal_value(data)
        try:
            validate_email(address)
        except DjangoValidationError as error:
            raise _validation_error("not_an_email") from error
        return address


class IntegerField(serializers.IntegerField):
    """An integer; strings and floats such as 1.0 are rejected."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": -MAX_INTEGER, "max_value": MAX_INTEGER, **options})

    def to_internal_value(self, data: Any) -> int:
        """Accept integers only, not booleans."""
        if not isinstance(data, int) or isinstance(data, bool):
            raise _validation_error("not_an_integer")
        return data


class StrictBooleanField(serializers.BooleanField):
    """True or false."""

    def to_internal_value(self, data: Any) -> bool:
        """Accept booleans only."""
        if not isinstance(data, bool):
            raise _validation_error("not_a_boolean")
        return data


class StrictChoiceField(serializers.ChoiceField):
    """One of the strings of an enumeration."""

    def to_internal_value(self, data: Any) -> str:
        """Accept the choices only."""
        if not isinstance(data, str):
            raise _validation_error("not_a_string")
        if data not in self.choices:
            raise _validation_error("unknown_value")
        return data


class DateTimeField(serializers.DateTimeField):
    """An RFC 3339 timestamp with a UTC offset."""

    def to_internal_value(self, value: Any) -> datetime:
        """Accept timestamps with an offset only, and convert them to UTC."""
        if not isinstance(value, str):
            raise _validation_error("not_a_string")
        try:
            moment = parse_datetime(value)
            if moment is None or moment.tzinfo is None or "T" not in value.upper():
                raise _validation_error("not_a_time")
            return moment.astimezone(UTC)
        except (ValueError, OverflowError) as error:
            raise _validation_error("not_a_time") from error


@cache
def cached_serializer(serializer_class: type[RequestSerializer[Any]]) -> RequestSerializer[Any]:
    """Return the shared instance of a serializer class, which holds no state between requests."""
    return serializer_class()


def validate_body(serializer_class: type[RequestSerializer[Body]], data: Any) -> Body:
    """Return the validated data, or raise a `Problem` that lists every error."""
    try:
        values: Body = cached_serializer(serializer_class).run_validation(data)
    except ValidationError as error:
        raise Problem("validation_error", errors=tuple(field_errors(error.detail))) from error
    return values


def field_errors(detail: Any, pointer: str = "") -> Iterator[FieldError]:
    """Yield the errors of a DRF `ValidationError` with our codes and JSON pointers."""
    match detail:
        case ErrorDetail():
            yield _field_error(detail, pointer)
        case Mapping():
            for name, inner in detail.items():
                is_own = name == "non_field_errors"
                yield from field_errors(
                    inner, pointer if is_own else f"{pointer}/{_escape_pointer(str(name))}"
                )
        case list() if detail and not isinstance(detail[0], ErrorDetail):
            for number, inner in enumerate(detail):
                yield from field_errors(inner, f"{pointer}/{number}")
        case list():
            for inner in detail:
                yield from field_errors(inner, pointer)
        case _:
            yield _field_error(ErrorDetail(str(detail), "invalid"), pointer)


def _field_error(detail: ErrorDetail, pointer: str) -> FieldError:
    code = _CODE_MAP.get(detail.code or "", detail.code)
    if code not in FIELD_CODES:
        code = "invalid"
    is_limit = code in _CODES_WITH_DRF_MESSAGE
    return FieldError(pointer, code, _limit_message(str(detail)) if is_limit else FIELD_CODES[code])


_NUMBER: Final = re.compile(r"-?\d+")
# DRF has filled in the number before we know the language.
LIMIT_MESSAGES: Final = frozenset(
    {
        "Ensure this field has no more than {number} characters.",
        "Ensure this field has at least {number} characters.",
        "Ensure this field has no more than {number} elements.",
        "Ensure this field has at least {number} elements.",
        "Ensure this value is less than or equal to {number}.",
        "Ensure this value is greater than or equal to {number}.",
    }
)


def _limit_message(text: str) -> Text:
    """Return the message of DRF for a limit, still to be translated."""
    found = _NUMBER.search(text)
    template = "" if found is None else text.replace(found[0], "{number}", 1)
    if found is None or template not in LIMIT_MESSAGES:
        return text
    return message(template, number=int(found[0]))


def _escape_pointer(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _error_detail(code: str) -> ErrorDetail:
    return ErrorDetail(FIELD_CODES[code], code)


def _validation_error(code: str) -> ValidationError:
    return ValidationError(FIELD_CODES[code], code=code)
