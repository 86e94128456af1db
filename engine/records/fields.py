"""Read untrusted JSON values: each function returns a valid value or raises `Malformed` with its location.

`where` is a JSON pointer, so that a program can find the value.

>>> read_int(True, "/seats", range(3))
Traceback (most recent call last):
engine.errors.Malformed: This is not a whole number.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from engine.errors import Malformed

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)

_LONGEST_NAME_SHOWN: Final = 64


@dataclass(frozen=True, slots=True)
class ObjectSchema:
    """The fields of an object: required ones, and optional ones that may be missing or null."""

    required: frozenset[str]
    optional: frozenset[str] = frozenset()


def schema(required: str, optional: str = "") -> ObjectSchema:
    """Return the shape with these fields, given as space-separated names."""
    return ObjectSchema(frozenset(required.split()), frozenset(optional.split()))


def read_object(value: object, where: str, expected: ObjectSchema) -> Mapping[str, object]:
    """Return an object that has all required fields and no unknown ones."""
    if not isinstance(value, dict):
        raise Malformed("wrong_type", "This is not an object.", where=where)
    for name in value:
        if name not in expected.required and name not in expected.optional:
            raise Malformed("unknown_field", "There is no such field.", where=child_pointer(where, name))
    for name in sorted(expected.required - value.keys()):
        raise Malformed("missing_field", "This field is missing.", where=child_pointer(where, name))
    return value


def child_pointer(where: str, name: str) -> str:
    """Return the pointer to a member, or to the object itself if the name is too long or unprintable.

    >>> child_pointer("/options", "a/b")
    '/options/a~1b'
    """
    if len(name) > _LONGEST_NAME_SHOWN or not name.isprintable():
        return where
    return f"{where}/{name.replace('~', '~0').replace('/', '~1')}"


def read_list(value: object, where: str, sizes: range) -> list[object]:
    """Return a list whose length is in `sizes`."""
    if not isinstance(value, list):
        raise Malformed("wrong_type", "This is not a list.", where=where)
    if len(value) not in sizes:
        raise Malformed(
            "wrong_length", f"This list must have {_span(sizes)} items, but it has {len(value)}.", where=where
        )
    return value


def read_items(value: object, where: str, sizes: range, read: Callable[[object, str], T]) -> tuple[T, ...]:
    """Return a list whose length is in `sizes`, with each item read by `read`."""
    items = read_list(value, where, sizes)
    return tuple([read(item, f"{where}/{index}") for index, item in enumerate(items)])


def optional(
    fields: Mapping[str, object], where: str, name: str, read: Callable[[object, str], T]
) -> T | None:
    """Return the field as read by `read`, or None if it is null or missing."""
    value = fields.get(name)
    return None if value is None else read(value, f"{where}/{name}")


def read_int(value: object, where: str, span: range) -> int:
    """Return a whole number in `span`; 1.0, "1" and true are rejected."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise Malformed("wrong_type", "This is not a whole number.", where=where)
    if value not in span:
        raise Malformed("out_of_range", f"This must be {_span(span)}.", where=where)
    return value


def read_text(value: object, where: str, longest: int) -> str:
    """Return a text without NUL characters or unpaired surrogates, which could not be stored or hashed."""
    if not isinstance(value, str):
        raise Malformed("wrong_type", "This is not a string.", where=where)
    if len(value) > longest:
        raise Malformed("wrong_length", f"This is longer than {longest} characters.", where=where)
    if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
        detail = "This contains a NUL character or an unpaired surrogate."
        raise Malformed("invalid_text", detail, where=where)
    return value


def read_choice(value: object, where: str, choices: type[E]) -> E:
    """Return the member of `choices` with this value."""
    if not isinstance(value, str):
        raise Malformed("wrong_type", "This is not a string.", where=where)
    if value not in choices.__members__.values():
        raise Malformed("invalid_value", f"This must be one of {', '.join(choices)}.", where=where)
    return choices(value)


def _span(span: range) -> str:
    first, last = span[0], span[-1]
    return str(first) if first == last else f"{first} to {last}"
