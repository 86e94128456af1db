"""Forms of answers, and the fields that only descriptions need: named enumerations and unions."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from rest_framework import serializers

from games.api.shapes import OneOf, Text

Field = serializers.Field[Any, Any, Any, Any]


class Form(serializers.Serializer[Any]):
    """The members of one object of an answer. It never makes one: tests hold every answer against it."""


class Enumeration(OneOf):
    """One of the strings of an enumeration that has a name of its own among the components."""

    def __init__(self, *, component: str, meaning: str, **options: Any) -> None:
        super().__init__(**options)
        self.component, self.meaning = component, meaning


def enumeration(component: str, choices: Iterable[str], meaning: str) -> Callable[..., Enumeration]:
    """Name an enumeration; what comes back makes fields of it."""
    values = tuple(choices)

    def made(**options: Any) -> Enumeration:
        return Enumeration(component=component, meaning=meaning, choices=values, **options)

    return made


def only(value: str, **options: Any) -> OneOf:
    """The member by which one form of a union is known."""
    return OneOf(choices=[value], **options)


class Union(Field):
    """One of several forms; the member `told_by` says which, where there is one that does."""

    def __init__(
        self,
        component: str,
        forms: Mapping[str, type[serializers.Serializer[Any]]],
        *,
        told_by: str | None = "type",
        meaning: str,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.component, self.forms, self.told_by, self.meaning = component, forms, told_by, meaning

    def to_internal_value(self, data: Any) -> Any:
        """Take it as it is: a union only describes."""
        return data

    def to_representation(self, value: Any) -> Any:
        """Give it as it is."""
        return value


class Hexadecimal(Text):
    """32 bytes, as 64 hexadecimal digits."""

    schema_extra: ClassVar = {"pattern": "^[0-9a-f]{64}$"}


def list_of(child: Field, **options: Any) -> serializers.ListField:
    """A list of these."""
    return serializers.ListField(child=child, **options)


def mapping_of(child: Field, **options: Any) -> serializers.DictField:
    """An object whose members are all of one form, under names that are not fixed."""
    return serializers.DictField(child=child, **options)
