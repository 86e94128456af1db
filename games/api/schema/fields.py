"""Response serializers, named enumerations, unions, cards and combinations."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final

from rest_framework import serializers

from games.api.serializers import IntegerField, StrictBooleanField, StrictChoiceField, StringField
from games.core.errors import FIELD_CODES
from games.gateway.refusals import clause_texts
from games.gateway.table import KINDS

Field = serializers.Field[Any, Any, Any, Any]


class ResponseSerializer(serializers.Serializer[Any]):
    """The members of one object of an answer. It never makes one: tests hold every answer against it."""


class Enumeration(StrictChoiceField):
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


def constant_field(value: str, **options: Any) -> StrictChoiceField:
    """The member by which one form of a union is known."""
    return StrictChoiceField(choices=[value], **options)


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


class Hexadecimal(StringField):
    """32 bytes, as 64 hexadecimal digits."""

    schema_extra: ClassVar = {"pattern": "^[0-9a-f]{64}$"}


def list_field(child: Field, **options: Any) -> serializers.ListField:
    """A list of these."""
    return serializers.ListField(child=child, **options)


def mapping_field(child: Field, **options: Any) -> serializers.DictField:
    """An object whose members are all of one form, under names that are not fixed."""
    return serializers.DictField(child=child, **options)


combination_kind = enumeration("CombinationKind", KINDS, "What cards can be together.")


_CARD: Final = re.compile("([2-9T][roygb]|[JQK])")


class Card(StringField):
    """The code of a card."""

    schema_extra: ClassVar = {
        "pattern": f"^{_CARD.pattern}$",
        "description": "A rank `2` to `9` or `T` with a suit `r o y g b`; or a face card `J`, `Q`, `K`.",
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"allow_blank": True, **options})

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Say of whatever else is no card, however long it is, that there is no such card."""
        code: str = super().run_validation(data)
        if not _CARD.fullmatch(code):
            raise serializers.ValidationError(FIELD_CODES["unknown_card"], code="unknown_card")
        return code


named_clause = enumeration("Clause", clause_texts(), "A clause of the rules by its name.")


def card_list(**options: Any) -> serializers.ListField:
    """A list of cards."""
    return list_field(Card(), **options)


class CombinationSerializer(ResponseSerializer):
    """What some cards are together."""

    kind = combination_kind()
    top = IntegerField(min_value=1, max_value=13, help_text="The highest rank; of a bomb its level, 1 to 6.")
    width = IntegerField(min_value=0, max_value=8, help_text="Cards of each rank; of a bomb 0.")
    length = IntegerField(min_value=0, max_value=12, help_text="Number of ranks; of a bomb 0.")
    text = StringField(help_text="The same in words.")


class NamedCombinationSerializer(ResponseSerializer):
    """A combination by its parts, as an action names it."""

    kind = combination_kind()
    top = IntegerField(min_value=1, max_value=13, help_text="The highest rank; of a bomb its level, 1 to 6.")
    width = IntegerField(min_value=0, max_value=8, help_text="Cards of each rank; of a bomb 0.")
    length = IntegerField(min_value=0, max_value=12, help_text="Number of ranks; of a bomb 0.")


def wild_cards(**options: Any) -> serializers.DictField:
    """What wild cards stand for."""
    text = (
        "What each wild card stands for, by its code: a card (`8g`) or a rank (`7`) where the suit is open."
    )
    return mapping_field(StringField(), **{"help_text": text, **options})


class ReadingSerializer(ResponseSerializer):
    """One thing that some cards can be, and whether it may be played now."""

    combination = CombinationSerializer()
    wilds = wild_cards()
    playable = StrictBooleanField(help_text="Whether it may be played on what lies there now.")
    rule = named_clause(help_text="The clause that decides.")


class PossibleSerializer(ResponseSerializer):
    """Every reading of some cards, as if they were led."""

    playable = StrictBooleanField(help_text="Whether any reading may be played.")
    readings = ReadingSerializer(many=True)


class CheckedSerializer(ResponseSerializer):
    """Every reading of some of one's own cards, on the table as it is."""

    version = IntegerField(min_value=0, help_text="The version of the table that was looked at.")
    playable = StrictBooleanField(help_text="Whether any reading may be played now.")
    readings = ReadingSerializer(many=True)


class LegalGroupSerializer(ResponseSerializer):
    """The legal plays of one combination."""

    combination = CombinationSerializer()
    count = IntegerField(min_value=1, help_text="How many distinct plays there are of it.")
    cheapest = card_list(help_text="One of them, with the fewest wild cards.")


class LegalPlaySerializer(ResponseSerializer):
    """One legal play."""

    cards = card_list()
    combination = CombinationSerializer()


class LegalMovesSerializer(ResponseSerializer):
    """All that the seat to act may do."""

    version = IntegerField(min_value=0, help_text="The version of the table that was looked at.")
    can_pass = StrictBooleanField(help_text="False for whoever leads.")
    must_award = StrictBooleanField(
        help_text="True where a bombed trick has to be awarded before anything else."
    )
    awards = list_field(
        IntegerField(min_value=0, max_value=2), help_text="The seats that the trick may be awarded to."
    )
    bets = list_field(
        IntegerField(min_value=0), help_text="The amounts that may be bet now; empty when bets are closed."
    )
    count = IntegerField(min_value=0, help_text="How many distinct plays there are.")
    combinations = LegalGroupSerializer(many=True)
    plays = LegalPlaySerializer(
        many=True, required=False, help_text="With `expand=plays`: every distinct play, at most 10,000."
    )
