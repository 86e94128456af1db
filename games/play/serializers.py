"""Request schemas of actions."""

from collections.abc import Mapping
from typing import Any, Final

from rest_framework import serializers

from games.api.schema.fields import combination_kind, constant_field, list_field
from games.api.serializers import Card, IntegerField, RequestSerializer
from games.core.errors import FIELD_CODES, invalid_field
from games.core.languages import message
from games.gateway.documents import ActionBody
from games.gateway.table import parse_cards

MAX_CARDS: Final = 17
MAX_NUMBER: Final = 1_000_000
_AS_HELP: Final = "The combination, fully or in part: only matching readings count. Left out: all count."


def _optional_number(help_text: str) -> IntegerField:
    return IntegerField(min_value=0, max_value=MAX_NUMBER, required=False, help_text=help_text)


class NamedRequestSerializer(RequestSerializer[Any]):
    """A combination, given fully or in part. A member that is left out matches any value."""

    kind = combination_kind(required=False)
    top = _optional_number("The highest rank (J, Q and K are 11, 12 and 13); for a bomb its level, 1 to 6.")
    width = _optional_number("The number of cards of each rank; for a bomb 0.")
    length = _optional_number("The number of ranks; for a bomb 0.")


class CardsRequestSerializer(RequestSerializer[Any]):
    """Cards, and optionally the combination that they form."""

    cards = list_field(
        Card(), min_length=1, max_length=MAX_CARDS, help_text="Each at most once, in any order."
    )

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add `as`, which is a reserved word in Python."""
        return {
            **super().get_fields(),
            "as": NamedRequestSerializer(required=False, allow_null=True, help_text=_AS_HELP),
        }

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Reject invalid and repeated cards."""
        parse_cards(attrs["cards"])
        return attrs


class _ActionSerializer(RequestSerializer[Any]):
    """An action on a version of the table."""

    version = IntegerField(min_value=0, help_text="The version of the table that the action is for.")


class PlayRequestSerializer(CardsRequestSerializer, _ActionSerializer):
    """Play cards."""

    type = constant_field("play")


class PassRequestSerializer(_ActionSerializer):
    """Pass."""

    type = constant_field("pass")


class BetRequestSerializer(_ActionSerializer):
    """Bet points."""

    type = constant_field("bet")
    amount = IntegerField(
        min_value=0, help_text="An amount that the rule set allows; 0 declares that you do not bet."
    )


class AwardRequestSerializer(_ActionSerializer):
    """Award a bombed trick to a seat."""

    type = constant_field("award")
    to = IntegerField(min_value=0, help_text="The seat that captures the trick: one of your opponents.")


ACTION_SERIALIZERS: Final[dict[str, type[RequestSerializer[Any]]]] = {
    "play": PlayRequestSerializer,
    "pass": PassRequestSerializer,
    "bet": BetRequestSerializer,
    "award": AwardRequestSerializer,
}


def serializer_for(
    body: object, by_type: Mapping[str, type[RequestSerializer[Any]]] = ACTION_SERIALIZERS
) -> type[RequestSerializer[ActionBody]]:
    """Return the serializer for the `type` of a request body."""
    if not isinstance(body, dict):
        raise invalid_field("", "not_an_object", FIELD_CODES["not_an_object"])
    if "type" not in body:
        raise invalid_field("/type", "required", FIELD_CODES["required"])
    kind = body["type"]
    if not isinstance(kind, str):
        raise invalid_field("/type", "not_a_string", FIELD_CODES["not_a_string"])
    try:
        return by_type[kind]
    except KeyError:
        known = ", ".join(by_type)
        raise invalid_field(
            "/type", "unknown_value", message("The type must be one of {known}.", known=known)
        ) from None
