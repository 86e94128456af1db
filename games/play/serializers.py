"""The bodies of actions at the table."""

from typing import Any, Final

from rest_framework import serializers

from games.api.schema.fields import Card, combination_kind, constant_field, list_field
from games.api.serializers import IntegerField, RequestSerializer
from games.core.errors import FIELD_CODES, invalid_field
from games.gateway.table import parse_cards

MAX_CARDS: Final = 17
MAX_NUMBER: Final = 1_000_000


_AS: Final = "What the cards are meant as, whole or in part: only such readings count. Left out: all do."


def _part(help_text: str) -> IntegerField:
    return IntegerField(min_value=0, max_value=MAX_NUMBER, required=False, help_text=help_text)


class NamedRequestSerializer(RequestSerializer):
    """A combination, named whole or in part: what is left out may be anything."""

    kind = combination_kind(required=False)
    top = _part("The highest rank, J, Q and K being 11, 12 and 13; of a bomb its level, 1 to 6.")
    width = _part("Cards of each rank; of a bomb 0.")
    length = _part("Number of ranks; of a bomb 0.")


class CardsRequestSerializer(RequestSerializer):
    """Cards, and perhaps what they are meant as."""

    cards = list_field(
        Card(), min_length=1, max_length=MAX_CARDS, help_text="Each at most once, in any order."
    )

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add `as`, which Python keeps for itself."""
        return {
            **super().get_fields(),
            "as": NamedRequestSerializer(required=False, allow_null=True, help_text=_AS),
        }

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse codes of no card, and a card that is named twice."""
        parse_cards(attrs["cards"])
        return attrs


class _Versioned(RequestSerializer):
    """An action on the table as it was at a version."""

    version = IntegerField(min_value=0, help_text="The version of the table that is acted on.")


class PlayRequestSerializer(CardsRequestSerializer, _Versioned):
    """Play these cards."""

    type = constant_field("play")


class PassRequestSerializer(_Versioned):
    """Pass."""

    type = constant_field("pass")


class BetRequestSerializer(_Versioned):
    """Bet so many points."""

    type = constant_field("bet")
    amount = IntegerField(
        min_value=0, help_text="One of the amounts of the rule set; 0 declares that you do not bet."
    )


class AwardRequestSerializer(_Versioned):
    """Give a bombed trick to this seat."""

    type = constant_field("award")
    to = IntegerField(min_value=0, help_text="The seat that captures the trick: one of your opponents.")


SHAPES: Final[dict[str, type[RequestSerializer]]] = {
    "play": PlayRequestSerializer,
    "pass": PassRequestSerializer,
    "bet": BetRequestSerializer,
    "award": AwardRequestSerializer,
}


def serializer_for(body: object) -> type[RequestSerializer]:
    """The shape that the `type` of a body asks for."""
    if not isinstance(body, dict):
        raise invalid_field("", "not_an_object", FIELD_CODES["not_an_object"])
    if "type" not in body:
        raise invalid_field("/type", "required", FIELD_CODES["required"])
    kind = body["type"]
    if not isinstance(kind, str):
        raise invalid_field("/type", "not_a_string", FIELD_CODES["not_a_string"])
    try:
        return SHAPES[kind]
    except KeyError:
        known = ", ".join(SHAPES)
        raise invalid_field("/type", "unknown_value", f"An action is one of {known}.") from None
