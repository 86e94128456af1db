"""Cards, combinations and what cards can be."""

from typing import Any

from rest_framework import serializers

from games.api.schema.fields import Form, enumeration, list_of, mapping_of
from games.api.shapes import Flag, Text, Whole
from games.api.table.shapes import Card, combination_kind
from games.gateway.refusals import clauses

named_clause = enumeration("Clause", clauses(), "A clause of the rules by its name.")


def card_list(**options: Any) -> serializers.ListField:
    """A list of cards."""
    return list_of(Card(), **options)


class CombinationForm(Form):
    """What some cards are together."""

    kind = combination_kind()
    top = Whole(min_value=1, max_value=13, help_text="The highest rank; of a bomb its level, 1 to 6.")
    width = Whole(min_value=0, max_value=8, help_text="Cards of each rank; of a bomb 0.")
    length = Whole(min_value=0, max_value=12, help_text="Number of ranks; of a bomb 0.")
    text = Text(help_text="The same in words.")


class NamedCombinationForm(Form):
    """A combination by its parts, as an action names it."""

    kind = combination_kind()
    top = Whole(min_value=1, max_value=13, help_text="The highest rank; of a bomb its level, 1 to 6.")
    width = Whole(min_value=0, max_value=8, help_text="Cards of each rank; of a bomb 0.")
    length = Whole(min_value=0, max_value=12, help_text="Number of ranks; of a bomb 0.")


def wild_cards(**options: Any) -> serializers.DictField:
    """What wild cards stand for."""
    text = (
        "What each wild card stands for, by its code: a card (`8g`) or a rank (`7`) where the suit is open."
    )
    return mapping_of(Text(), **{"help_text": text, **options})


class ReadingForm(Form):
    """One thing that some cards can be, and whether it may be played now."""

    combination = CombinationForm()
    wilds = wild_cards()
    playable = Flag(help_text="Whether it may be played on what lies there now.")
    rule = named_clause(help_text="The clause that decides.")


class PossibleForm(Form):
    """Every reading of some cards, as if they were led."""

    playable = Flag(help_text="Whether any reading may be played.")
    readings = ReadingForm(many=True)


class CheckedForm(Form):
    """Every reading of some of one's own cards, on the table as it is."""

    version = Whole(min_value=0, help_text="The version of the table that was looked at.")
    playable = Flag(help_text="Whether any reading may be played now.")
    readings = ReadingForm(many=True)


class LegalGroupForm(Form):
    """The legal plays of one combination."""

    combination = CombinationForm()
    count = Whole(min_value=1, help_text="How many distinct plays there are of it.")
    cheapest = card_list(help_text="One of them, with the fewest wild cards.")


class LegalPlayForm(Form):
    """One legal play."""

    cards = card_list()
    combination = CombinationForm()


class LegalMovesForm(Form):
    """All that the seat to act may do."""

    version = Whole(min_value=0, help_text="The version of the table that was looked at.")
    can_pass = Flag(help_text="False for whoever leads.")
    must_award = Flag(help_text="True where a bombed trick has to be awarded before anything else.")
    awards = list_of(Whole(min_value=0, max_value=2), help_text="The seats that the trick may be awarded to.")
    bets = list_of(
        Whole(min_value=0), help_text="The amounts that may be bet now; empty when bets are closed."
    )
    count = Whole(min_value=0, help_text="How many distinct plays there are.")
    combinations = LegalGroupForm(many=True)
    plays = LegalPlayForm(
        many=True, required=False, help_text="With `expand=plays`: every distinct play, at most 10,000."
    )
