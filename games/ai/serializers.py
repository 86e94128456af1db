"""Hints and analyses."""

from rest_framework import serializers

from games.api.schema.fields import CombinationForm, Form, card_list, enumeration, list_of
from games.api.schema.log import actor
from games.api.serializers import Whole

status = enumeration("AnalysisStatus", ("running", "done", "failed"), "How far an analysis is.")
hinted = enumeration("HintedType", ("play", "pass", "bet", "award"), "What to do.")
kind = enumeration("AnalysedType", ("play", "pass"), "What was done.")


def chance_of(meaning: str) -> serializers.FloatField:
    """A chance."""
    return serializers.FloatField(min_value=0, max_value=1, help_text=meaning)


class AnalysedMoveForm(Form):
    """A play, or a pass."""

    type = kind()
    cards = card_list(allow_null=True)
    combination = CombinationForm(allow_null=True)


class DecisionForm(Form):
    """One decision: what was done, what `hard` would have done knowing only what the player knew."""

    version = Whole(min_value=0, help_text="The entry of the log.")
    round = Whole(min_value=1)
    seat = Whole(min_value=0, max_value=2)
    by = actor()
    made = AnalysedMoveForm()
    best = AnalysedMoveForm(help_text="The same as `made` where nothing was better.")
    cost = serializers.FloatField(min_value=0, help_text="The points by which it was worse, on the mean.")
    chance = chance_of("The chance of going out first after it.")
    best_chance = chance_of("The same after the best.")


class CurvePointForm(Form):
    """A point of the curve of chances."""

    version = Whole(min_value=0)
    seat = Whole(min_value=0, max_value=2)
    chance = chance_of("The seat's chance of going out first, as far as it could know.")


class SeatCostForm(Form):
    """What a seat's decisions of a round cost it."""

    seat = Whole(min_value=0, max_value=2)
    cost = serializers.FloatField(min_value=0)


class AnalysedRoundForm(Form):
    """A round, as far as it was looked at."""

    number = Whole(min_value=1)
    costs = SeatCostForm(many=True)
    curve = CurvePointForm(many=True)
    turning_points = list_of(Whole(), help_text="The versions on which the round turned.")
    decisions = DecisionForm(many=True)


class AnalysisForm(Form):
    """The analysis of a match: its progress, and what was found so far."""

    status = status()
    done = Whole(min_value=0, help_text="Decisions looked at.")
    total = Whole(min_value=0, help_text="Decisions there are.")
    rounds = AnalysedRoundForm(many=True)


class HintedMoveForm(Form):
    """What to do, with what it needs."""

    type = hinted()
    cards = card_list(allow_null=True)
    combination = CombinationForm(allow_null=True)
    amount = Whole(min_value=0, allow_null=True, help_text="Of a bet.")
    to = Whole(min_value=0, max_value=2, allow_null=True, help_text="The seat that a trick is awarded to.")


class HintForm(Form):
    """What a strong player would do."""

    version = Whole(min_value=0, help_text="The version of the table that it is for.")
    move = HintedMoveForm()
