"""The bodies of actions at the table."""

from typing import Any, Final

from rest_framework import serializers

from games.api.schema.fields import Card, combination_kind, list_of, only
from games.api.serializers import Shape, Whole
from games.core.errors import FIELD_CODES, invalid
from games.gateway.table import read_cards

MOST_CARDS: Final = 17
LARGEST_NUMBER: Final = 1_000_000


_AS: Final = "What the cards are meant as, whole or in part: only such readings count. Left out: all do."


def _part(help_text: str) -> Whole:
    return Whole(min_value=0, max_value=LARGEST_NUMBER, required=False, help_text=help_text)


class NamedShape(Shape):
    """A combination, named whole or in part: what is left out may be anything."""

    kind = combination_kind(required=False)
    top = _part("The highest rank, J, Q and K being 11, 12 and 13; of a bomb its level, 1 to 6.")
    width = _part("Cards of each rank; of a bomb 0.")
    length = _part("Number of ranks; of a bomb 0.")


class CardsShape(Shape):
    """Cards, and perhaps what they are meant as."""

    cards = list_of(Card(), min_length=1, max_length=MOST_CARDS, help_text="Each at most once, in any order.")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add `as`, which Python keeps for itself."""
        return {**super().get_fields(), "as": NamedShape(required=False, allow_null=True, help_text=_AS)}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse codes of no card, and a card that is named twice."""
        read_cards(attrs["cards"])
        return attrs


class _Versioned(Shape):
    """An action on the table as it was at a version."""

    version = Whole(min_value=0, help_text="The version of the table that is acted on.")


class PlayShape(CardsShape, _Versioned):
    """Play these cards."""

    type = only("play")


class PassShape(_Versioned):
    """Pass."""

    type = only("pass")


class BetShape(_Versioned):
    """Bet so many points."""

    type = only("bet")
    amount = Whole(
        min_value=0, help_text="One of the amounts of the rule set; 0 declares that you do not bet."
    )


class AwardShape(_Versioned):
    """Give a bombed trick to this seat."""

    type = only("award")
    to = Whole(min_value=0, help_text="The seat that captures the trick: one of your opponents.")


SHAPES: Final[dict[str, type[Shape]]] = {
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
        return SHAPES[kind]
    except KeyError:
        known = ", ".join(SHAPES)
        raise invalid("/type", "unknown_value", f"An action is one of {known}.") from None
