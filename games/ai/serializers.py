"""Hints and analyses."""

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

status = enumeration("AnalysisStatus", ("running", "done", "failed"), "How far an analysis is.")
hinted = enumeration("HintedType", ("play", "pass", "bet", "award"), "What to do.")
kind = enumeration("AnalysedType", ("play", "pass"), "What was done.")


def chance_of(meaning: str) -> serializers.FloatField:
    """A chance."""
    return serializers.FloatField(min_value=0, max_value=1, help_text=meaning)


class AnalysedMoveSerializer(ResponseSerializer):
    """A play, or a pass."""

    type = kind()
    cards = card_list(allow_null=True)
    combination = CombinationSerializer(allow_null=True)


class DecisionSerializer(ResponseSerializer):
    """One decision: what was done, what `hard` would have done knowing only what the player knew."""

    version = IntegerField(min_value=0, help_text="The entry of the log.")
    round = IntegerField(min_value=1)
    seat = IntegerField(min_value=0, max_value=2)
    by = actor()
    made = AnalysedMoveSerializer()
    best = AnalysedMoveSerializer(help_text="The same as `made` where nothing was better.")
    cost = serializers.FloatField(min_value=0, help_text="The points by which it was worse, on the mean.")
    chance = chance_of("The chance of going out first after it.")
    best_chance = chance_of("The same after the best.")


class CurvePointSerializer(ResponseSerializer):
    """A point of the curve of chances."""

    version = IntegerField(min_value=0)
    seat = IntegerField(min_value=0, max_value=2)
    chance = chance_of("The seat's chance of going out first, as far as it could know.")


class SeatCostSerializer(ResponseSerializer):
    """What a seat's decisions of a round cost it."""

    seat = IntegerField(min_value=0, max_value=2)
    cost = serializers.FloatField(min_value=0)


class AnalysedRoundSerializer(ResponseSerializer):
    """A round, as far as it was looked at."""

    number = IntegerField(min_value=1)
    costs = SeatCostSerializer(many=True)
    curve = CurvePointSerializer(many=True)
    turning_points = list_field(IntegerField(), help_text="The versions on which the round turned.")
    decisions = DecisionSerializer(many=True)


class AnalysisSerializer(ResponseSerializer):
    """The analysis of a match: its progress, and what was found so far."""

    status = status()
    done = IntegerField(min_value=0, help_text="Decisions looked at.")
    total = IntegerField(min_value=0, help_text="Decisions there are.")
    rounds = AnalysedRoundSerializer(many=True)


class HintedMoveSerializer(ResponseSerializer):
    """What to do, with what it needs."""

    type = hinted()
    cards = card_list(allow_null=True)
    combination = CombinationSerializer(allow_null=True)
    amount = IntegerField(min_value=0, allow_null=True, help_text="Of a bet.")
    to = IntegerField(
        min_value=0, max_value=2, allow_null=True, help_text="The seat that a trick is awarded to."
    )


class HintSerializer(ResponseSerializer):
    """What a strong player would do."""

    version = IntegerField(min_value=0, help_text="The version of the table that it is for.")
    move = HintedMoveSerializer()
