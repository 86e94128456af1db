"""Strict request serializers: unknown members and wrong types are rejected."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache, cached_property
from typing import Any, ClassVar, Final

from django.core.exceptions import ValidationError as DjangoValidationError
from django.core.validators import validate_email
from django.utils.dateparse import parse_datetime
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from games.core.errors import FIELD_CODES, FieldError, Problem

# Integers that every program reads as they are written.
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
# Codes whose sentences, with the numbers of the field, the framework writes better.
_CODES_WITH_OWN_TEXT: Final = frozenset({"too_long", "too_short", "too_large", "too_small"})


class RequestSerializer(serializers.Serializer[Any]):
    """The members of one object. Any other member is refused, by name.

    `defaults` tells clients what counts where a member is left out; it is the service that lets it count.
    """

    defaults: ClassVar[Mapping[str, object]] = {}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Check every member, and that there are no others."""
        if not isinstance(data, Mapping):
            raise _validation_error("not_an_object")
        errors: dict[str, Any] = {
            name: [_error_detail("unknown_field")] for name in data if name not in self.known
        }
        try:
            values: dict[str, Any] = super().to_internal_value(data)
        except ValidationError as error:
            raise ValidationError({**_as_dict(error.detail), **errors}) from error
        if errors:
            raise ValidationError(errors)
        return values

    @cached_property
    def known(self) -> frozenset[str]:
        """The names of its members."""
        return frozenset(str(field.field_name) for field in self._writable_fields)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Say the same of null as of anything else that is no object."""
        if data is None and not self.allow_null and self.parent is None:
            raise _validation_error("not_an_object")
        return super().run_validation(data)

    @classmethod
    def needs_a_body(cls) -> bool:
        """Whether some member must be there."""
        return any(field.required for field in cached_serializer(cls).fields.values())


class EmptyRequestSerializer(RequestSerializer):
    """The body of a request that needs to say nothing more."""


class StringField(serializers.CharField):
    """A string, as it was sent: spaces at its ends are not taken away."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"trim_whitespace": False, **options})

    def to_internal_value(self, data: Any) -> str:
        """Take strings only."""
        if not isinstance(data, str):
            raise _validation_error("not_a_string")
        return data


class EmailField(StringField):
    """An e-mail address."""

    schema_extra: ClassVar = {"format": "email"}

    def to_internal_value(self, data: Any) -> str:
        """Take what can be an address."""
        address = super().to_internal_value(data)
        try:
            validate_email(address)
        except DjangoValidationError as error:
            raise _validation_error("not_an_email") from error
        return address


class IntegerField(serializers.IntegerField):
    """An integer, written as one."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": -MAX_INTEGER, "max_value": MAX_INTEGER, **options})

    def to_internal_value(self, data: Any) -> int:
        """Take integers only; true is none."""
        if not isinstance(data, int) or isinstance(data, bool):
            raise _validation_error("not_an_integer")
        return data


class StrictBooleanField(serializers.BooleanField):
    """True or false."""

    def to_internal_value(self, data: Any) -> bool:
        """Take booleans only."""
        if not isinstance(data, bool):
            raise _validation_error("not_a_boolean")
        return data


class StrictChoiceField(serializers.ChoiceField):
    """One of the strings of an enumeration."""

    def to_internal_value(self, data: Any) -> str:
        """Take the strings that are known."""
        if not isinstance(data, str):
            raise _validation_error("not_a_string")
        if data not in self.choices:
            raise _validation_error("unknown_value")
        return data


class DateTimeField(serializers.DateTimeField):
    """A time with its offset, RFC 3339."""

    def to_internal_value(self, value: Any) -> datetime:
        """Take times that say where they are counted from."""
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
def cached_serializer(shape: type[RequestSerializer]) -> RequestSerializer:
    """A shape is made once: it keeps nothing of what it checks."""
    return shape()


def validate_body(shape: type[RequestSerializer], data: Any) -> Any:
    """The data in this shape, or everything that is wrong with it."""
    try:
        return cached_serializer(shape).run_validation(data)
    except ValidationError as error:
        raise Problem("validation_error", errors=tuple(field_errors(error.detail))) from error


def field_errors(detail: Any, pointer: str = "") -> Iterator[FieldError]:
    """Walk through the errors of the framework and say each in our terms."""
    match detail:
        case ErrorDetail():
            yield _field_error(detail, pointer)
        case Mapping():
            for name, inner in detail.items():
                here = name == "non_field_errors"
                yield from field_errors(inner, pointer if here else f"{pointer}/{_escaped(str(name))}")
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
    return FieldError(pointer, code, str(detail) if code in _CODES_WITH_OWN_TEXT else FIELD_CODES[code])


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _error_detail(code: str) -> ErrorDetail:
    return ErrorDetail(FIELD_CODES[code], code)


def _validation_error(code: str) -> ValidationError:
    return ValidationError(FIELD_CODES[code], code=code)


def _as_dict(detail: Any) -> dict[str, Any]:
    return dict(detail) if isinstance(detail, Mapping) else {"non_field_errors": detail}
