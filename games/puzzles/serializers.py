"""Serializers of puzzles and answers."""

from typing import Any, Final

from rest_framework import serializers

from games.api.schema.fields import (
    Field,
    LegalGroupSerializer,
    NamedCombinationSerializer,
    ResponseSerializer,
    card_list,
    constant_field,
    enumeration,
    list_field,
    mapping_field,
)
from games.api.schema.table import RunningRoundSerializer, TurnSerializer
from games.api.serializers import IntegerField, RequestSerializer, StrictBooleanField, StringField
from games.play.serializers import CardsRequestSerializer

choice_type = enumeration("ChoiceType", ("play", "pass"), "What can be done in a puzzle.")


def share_field(**options: Any) -> serializers.FloatField:
    """Return a field for a share, from 0 to 1."""
    return serializers.FloatField(min_value=0, max_value=1, **options)


class PuzzleSerializer(ResponseSerializer):
    """A puzzle: a round at one decision, from the seat to act."""

    id = StringField()
    ruleset = StringField(help_text="The key of the rule set.")
    ruleset_version = StringField(help_text="The version of the rules.")
    options = mapping_field(StringField(), help_text="Every option of the rule set with its value.")
    players = IntegerField(min_value=2, max_value=3)
    round = RunningRoundSerializer(help_text="The round as `seat` sees it; puzzles have no deadline.")
    seat = IntegerField(min_value=0, max_value=2, help_text="The seat to act.")
    solved_by = share_field(
        allow_null=True,
        help_text="The share of the players whose first answer was best; null before the first answer.",
    )
    daily_on = serializers.DateField(
        allow_null=True, help_text="The last day (UTC) on which it was the daily puzzle."
    )


class PuzzleActionSerializer(ResponseSerializer):
    """A play or a pass."""

    type = choice_type()
    cards = card_list(required=False, help_text="`play`")

    def get_fields(self) -> dict[str, Field]:
        """Add the field `as`, which is a reserved word in Python."""
        named = NamedCombinationSerializer(required=False, help_text="`play`: the combination.")
        return {**super().get_fields(), "as": named}


class PuzzleChoiceSerializer(ResponseSerializer):
    """A choice and its cost."""

    action = PuzzleActionSerializer()
    cost = serializers.FloatField(min_value=0, help_text="Points lost on average.")


class PuzzleAnswerSerializer(ResponseSerializer):
    """The judgement of an answer."""

    best = StrictBooleanField(help_text="Whether nothing is better.")
    cost = serializers.FloatField(
        min_value=0, help_text="The points that the answer loses on average, compared with the best action."
    )
    best_action = PuzzleActionSerializer()
    alternatives = PuzzleChoiceSerializer(
        many=True, help_text="The best of the other choices, one for each combination."
    )
    line = list_field(
        TurnSerializer(),
        help_text=(
            "The best action and a likely continuation. The hidden cards in it are a sample that fits what "
            "the seat has seen."
        ),
    )
    solved_by = share_field(allow_null=True, help_text="As in the puzzle, with this answer.")


class PuzzleMovesSerializer(ResponseSerializer):
    """The legal plays of the seat to act."""

    can_pass = StrictBooleanField(help_text="False for the player who leads.")
    must_award = StrictBooleanField(help_text="Always false: no puzzle is about an award.")
    awards = list_field(IntegerField(min_value=0, max_value=2), help_text="Always empty.")
    bets = list_field(IntegerField(min_value=0), help_text="Always empty: bets are closed.")
    count = IntegerField(min_value=0, help_text="The number of distinct plays.")
    combinations = LegalGroupSerializer(many=True)


class AnswerPlaySerializer(CardsRequestSerializer):
    """Play cards."""

    type = constant_field("play")


class AnswerPassSerializer(RequestSerializer[Any]):
    """Pass."""

    type = constant_field("pass")


class AnswerBetSerializer(RequestSerializer[Any]):
    """Bet points, which no puzzle allows."""

    type = constant_field("bet")
    amount = IntegerField(min_value=0, help_text="The amount of the bet.")


class AnswerAwardSerializer(RequestSerializer[Any]):
    """Award a trick, which no puzzle allows."""

    type = constant_field("award")
    to = IntegerField(min_value=0, help_text="The seat to award the trick to.")


ANSWER_SERIALIZERS: Final[dict[str, type[RequestSerializer[Any]]]] = {
    "play": AnswerPlaySerializer,
    "pass": AnswerPassSerializer,
    "bet": AnswerBetSerializer,
    "award": AnswerAwardSerializer,
}
