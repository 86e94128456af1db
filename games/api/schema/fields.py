"""Response serializers, named enumerations, unions, cards and combinations."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from rest_framework import serializers

from games.api.serializers import Card, IntegerField, StrictBooleanField, StrictChoiceField, StringField
from games.gateway.refusals import clause_texts
from games.gateway.table import KINDS

Field = serializers.Field[Any, Any, Any, Any]


class ResponseSerializer(serializers.Serializer[Any]):
    """Describes an object in a response. Views do not render with it: tests validate responses against it."""


class Enumeration(StrictChoiceField):
    """A choice field whose choices are a named component."""

    def __init__(self, *, component: str, description: str, **options: Any) -> None:
        super().__init__(**options)
        self.component, self.description = component, description


def enumeration(component: str, choices: Iterable[str], description: str) -> Callable[..., Enumeration]:
    """Return a factory of fields for a named enumeration."""
    values = tuple(choices)

    def create_field(**options: Any) -> Enumeration:
        return Enumeration(component=component, description=description, choices=values, **options)

    return create_field


def constant_field(value: str, **options: Any) -> StrictChoiceField:
    """Return a field with a single value, the discriminator of a union."""
    return StrictChoiceField(choices=[value], **options)


class Union(Field):
    """One of several variants; the member `discriminator`, if any, says which."""

    def __init__(
        self,
        component: str,
        variants: Mapping[str, type[serializers.Serializer[Any]]],
        *,
        discriminator: str | None = "type",
        description: str,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.component, self.variants = component, variants
        self.discriminator, self.description = discriminator, description

    def to_internal_value(self, data: Any) -> Any:
        """Return the data unchanged: a union is only documented, not validated."""
        return data

    def to_representation(self, value: Any) -> Any:
        """Return the value unchanged."""
        return value


class Hexadecimal(StringField):
    """32 bytes, as 64 hexadecimal digits."""

    schema_extra: ClassVar = {"pattern": "^[0-9a-f]{64}$"}


def list_field(child: Field, **options: Any) -> serializers.ListField:
    """Return a list field with this child."""
    return serializers.ListField(child=child, **options)


def mapping_field(child: Field, **options: Any) -> serializers.DictField:
    """Return a field for an object with arbitrary member names and values of one type."""
    return serializers.DictField(child=child, **options)


combination_kind = enumeration("CombinationKind", KINDS, "The kind of a combination.")


named_clause = enumeration("Clause", clause_texts(), "The name of a clause of the rules.")


def card_list(**options: Any) -> serializers.ListField:
    """Return a field for a list of cards."""
    return list_field(Card(), **options)


class CombinationSerializer(ResponseSerializer):
    """The combination that some cards form."""

    kind = combination_kind()
    top = IntegerField(min_value=1, max_value=13, help_text="The highest rank; of a bomb its level, 1 to 6.")
    width = IntegerField(min_value=0, max_value=8, help_text="Cards of each rank; of a bomb 0.")
    length = IntegerField(min_value=0, max_value=12, help_text="Number of ranks; of a bomb 0.")
    text = StringField(help_text="The combination in words.")


class NamedCombinationSerializer(ResponseSerializer):
    """A combination as an action names it."""

    kind = combination_kind()
    top = IntegerField(min_value=1, max_value=13, help_text="The highest rank; of a bomb its level, 1 to 6.")
    width = IntegerField(min_value=0, max_value=8, help_text="Cards of each rank; of a bomb 0.")
    length = IntegerField(min_value=0, max_value=12, help_text="Number of ranks; of a bomb 0.")


def wild_cards(**options: Any) -> serializers.DictField:
    """Return a field for what each wild card stands for."""
    text = "What each wild card stands for, by its code: a card (`8g`), or a rank (`7`) if the suit is open."
    return mapping_field(StringField(), **{"help_text": text, **options})


class ReadingSerializer(ResponseSerializer):
    """One combination that some cards can form, and whether it may be played now."""

    combination = CombinationSerializer()
    wilds = wild_cards()
    playable = StrictBooleanField(help_text="Whether it may be played on the current trick.")
    rule = named_clause(help_text="The clause that decides.")


class PossibleSerializer(ResponseSerializer):
    """Every combination that some cards can form, as if they were led."""

    playable = StrictBooleanField(help_text="Whether any reading may be played.")
    readings = ReadingSerializer(many=True)


class CheckedSerializer(ResponseSerializer):
    """Every combination that some of your cards can form, in the current position."""

    version = IntegerField(min_value=0, help_text="The version of the table that this refers to.")
    playable = StrictBooleanField(help_text="Whether any reading may be played now.")
    readings = ReadingSerializer(many=True)


class LegalGroupSerializer(ResponseSerializer):
    """The legal plays of one combination."""

    combination = CombinationSerializer()
    count = IntegerField(min_value=1, help_text="The number of distinct plays of this combination.")
    cheapest = card_list(help_text="The play with the fewest wild cards.")


class LegalPlaySerializer(ResponseSerializer):
    """One legal play."""

    cards = card_list()
    combination = CombinationSerializer()


class LegalMovesSerializer(ResponseSerializer):
    """Everything that the seat to act may do."""

    version = IntegerField(min_value=0, help_text="The version of the table that this refers to.")
    can_pass = StrictBooleanField(help_text="False for the player who leads.")
    must_award = StrictBooleanField(
        help_text="True if a bombed trick has to be awarded before any other action."
    )
    awards = list_field(
        IntegerField(min_value=0, max_value=2), help_text="The seats that the trick may be awarded to."
    )
    bets = list_field(
        IntegerField(min_value=0), help_text="The amounts that may be bet now; empty when bets are closed."
    )
    count = IntegerField(min_value=0, help_text="The number of distinct plays.")
    combinations = LegalGroupSerializer(many=True)
    plays = LegalPlaySerializer(
        many=True, required=False, help_text="With `expand=plays`: every distinct play, at most 10,000."
    )
