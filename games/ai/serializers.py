"""Serializers of hints and analyses."""

from rest_framework import serializers

from games.api.schema.fields import (
    CombinationSerializer,
    ResponseSerializer,
    card_list,
    enumeration,
    list_field,
)
from games.api.schema.log import actor
from games.api.serializers import IntegerField

status_field = enumeration("AnalysisStatus", ("running", "done", "failed"), "The status of an analysis.")
hinted_type_field = enumeration(
    "HintedType", ("play", "pass", "bet", "award"), "The type of the suggested move."
)
analysed_type_field = enumeration("AnalysedType", ("play", "pass"), "The type of the analysed move.")


def chance_field(help_text: str) -> serializers.FloatField:
    """Return a field for a probability."""
    return serializers.FloatField(min_value=0, max_value=1, help_text=help_text)


class AnalysedMoveSerializer(ResponseSerializer):
    """A play or a pass."""

    type = analysed_type_field()
    cards = card_list(allow_null=True)
    combination = CombinationSerializer(allow_null=True)


class DecisionSerializer(ResponseSerializer):
    """A decision: the move made, and what the AI level `hard` would do knowing only what the player knew."""

    version = IntegerField(min_value=0, help_text="The version of the log entry.")
    round = IntegerField(min_value=1)
    seat = IntegerField(min_value=0, max_value=2)
    by = actor()
    made = AnalysedMoveSerializer()
    best = AnalysedMoveSerializer(help_text="Equal to `made` if no move was better.")
    cost = serializers.FloatField(
        min_value=0, help_text="How many points worse than the best move, on average."
    )
    chance = chance_field("The chance of going out first after this move.")
    best_chance = chance_field("The chance of going out first after the best move.")


class CurvePointSerializer(ResponseSerializer):
    """A point on the curve of chances."""

    version = IntegerField(min_value=0)
    seat = IntegerField(min_value=0, max_value=2)
    chance = chance_field("The chance of the seat to go out first, as far as it could know.")


class SeatCostSerializer(ResponseSerializer):
    """The total cost of the decisions of a seat in a round."""

    seat = IntegerField(min_value=0, max_value=2)
    cost = serializers.FloatField(min_value=0)


class AnalysedRoundSerializer(ResponseSerializer):
    """A round, as far as it has been analysed."""

    number = IntegerField(min_value=1)
    costs = SeatCostSerializer(many=True)
    curve = CurvePointSerializer(many=True)
    turning_points = list_field(
        IntegerField(), help_text="The versions of the decisions that changed the course of the round."
    )
    decisions = DecisionSerializer(many=True)


class AnalysisSerializer(ResponseSerializer):
    """The analysis of a match: its progress and the results so far."""

    status = status_field()
    done = IntegerField(min_value=0, help_text="Number of decisions analysed so far.")
    total = IntegerField(min_value=0, help_text="Number of decisions to analyse.")
    rounds = AnalysedRoundSerializer(many=True)


class HintedMoveSerializer(ResponseSerializer):
    """A suggested move with its parameters."""

    type = hinted_type_field()
    cards = card_list(allow_null=True)
    combination = CombinationSerializer(allow_null=True)
    amount = IntegerField(min_value=0, allow_null=True, help_text="The amount of a bet.")
    to = IntegerField(min_value=0, max_value=2, allow_null=True, help_text="The seat to award the trick to.")


class HintSerializer(ResponseSerializer):
    """A suggestion of a strong player."""

    version = IntegerField(min_value=0, help_text="The version of the table that the hint applies to.")
    move = HintedMoveSerializer()
