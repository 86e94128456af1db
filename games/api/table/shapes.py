"""The bodies of actions at the table."""

from typing import Any, Final

from rest_framework import serializers

from games.api.shapes import OneOf, Shape, Text, Whole
from games.errors import FIELD_CODES, invalid
from games.gateway.table import KINDS, read_cards

MOST_CARDS: Final = 17
LARGEST_NUMBER: Final = 1_000_000


class NamedShape(Shape):
    """A combination, named whole or in part."""

    kind = OneOf(choices=KINDS, required=False)
    top = Whole(min_value=0, max_value=LARGEST_NUMBER, required=False)
    width = Whole(min_value=0, max_value=LARGEST_NUMBER, required=False)
    length = Whole(min_value=0, max_value=LARGEST_NUMBER, required=False)


class CardsShape(Shape):
    """Cards, and perhaps what they are meant as."""

    cards = serializers.ListField(child=Text(max_length=2), min_length=1, max_length=MOST_CARDS)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add `as`, which Python keeps for itself."""
        return {**super().get_fields(), "as": NamedShape(required=False, allow_null=True)}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse codes of no card, and a card that is named twice."""
        read_cards(attrs["cards"])
        return attrs


class _Versioned(Shape):
    """An action on the table as it was at a version."""

    version = Whole(min_value=0)
    type = Text()


class PlayShape(CardsShape, _Versioned):
    """Play these cards."""


class PassShape(_Versioned):
    """Pass."""


class BetShape(_Versioned):
    """Bet so many points."""

    amount = Whole(min_value=0)


class AwardShape(_Versioned):
    """Give a bombed trick to this seat."""

    to = Whole(min_value=0)


_SHAPES: Final[dict[str, type[Shape]]] = {
    "play": PlayShape,
    "pass": PassShape,
    "bet": BetShape,
    "award": AwardShape,
}


def shape_of(body: object) -> type[Shape]:
    """The shape that the `type` of a body asks for."""
    if not isinstance(body, dict):
        raise invalid("", "not_an_object", FIELD_CODES["not_an_object"])
    if "type" not in body:
        raise invalid("/type", "required", FIELD_CODES["required"])
    kind = body["type"]
    if not isinstance(kind, str):
        raise invalid("/type", "not_a_string", FIELD_CODES["not_a_string"])
    try:
        return _SHAPES[kind]
    except KeyError:
        known = ", ".join(_SHAPES)
        raise invalid("/type", "unknown_value", f"An action is one of {known}.") from None
