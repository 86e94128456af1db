"""Rule sets."""

from collections.abc import Callable
from typing import Any

from games.api.schema.fields import Form, enumeration, list_of, mapping_of
from games.api.shapes import Flag, Text, Whole
from games.gateway.agreement import rule_set_forms


def _values(read: Callable[[Any], str]) -> list[str]:
    """Every value that some rule set has."""
    return sorted({read(form) for form in rule_set_forms()})


class CombinationRulesForm(Form):
    """What is particular about combinations."""

    face_cards = enumeration("FaceCards", _values(lambda form: form["combinations"]["face_cards"]), "What.")(
        help_text="What a face card is in a run or stair. Where it is wild only, none goes above ten."
    )
    text = list_of(Text(), help_text="All of it in sentences.")


class ScoringForm(Form):
    """What scores, and for whom."""

    points_per_card_left = Whole(help_text="For each card in the largest opposing hand, on going out.")
    first_out_bonus = Whole(help_text="Three players: for the first to go out.")
    card_points = mapping_of(Whole(), help_text="What a captured card is worth, by rank; others nothing.")
    final_hand = enumeration("FinalHand", _values(lambda form: form["scoring"]["final_hand"]), "To whom.")(
        help_text="Who captures the cards left in the last hand."
    )
    haggis = enumeration("HaggisTo", _values(lambda form: form["scoring"]["haggis"]), "To whom.")(
        help_text="Who captures the haggis."
    )
    bet_succeeds = enumeration("BetSucceeds", _values(lambda form: form["scoring"]["bet_succeeds"]), "When.")(
        help_text="What the bettor has to do."
    )
    bets_close = enumeration("BetsClose", _values(lambda form: form["scoring"]["bets_close"]), "When.")(
        help_text="When bets close for everybody; for each player they close with the own first play."
    )
    bet_split = Text(help_text="How bets are paid, unless an option says otherwise.")
    text = list_of(Text(), help_text="All of it in sentences.")


class DealingForm(Form):
    """Who deals and who leads."""

    has_dealer = Flag(help_text="False where nobody deals: then `dealer` is null everywhere.")
    lead_tie = Text(help_text="Who leads where several have the fewest points.")
    text = list_of(Text(), help_text="All of it in sentences.")


class LengthForm(Form):
    """How long a match is."""

    default_target = Whole(help_text="The target of a match that says nothing of its length.")
    suggested_targets = list_of(Whole())
    suggested_rounds = mapping_of(list_of(Whole()), help_text="By number of players.")
    text = list_of(Text(), help_text="All of it in sentences.")


class OptionForm(Form):
    """Something to agree on before a match."""

    default = Text()
    meaning = Text()
    players = list_of(Whole(), help_text="For how many players there is a choice.")
    choices = mapping_of(Text(), help_text="Every value with what it means.")


class RulingForm(Form):
    """What was decided where the text of the rules leaves two readings."""

    key = Text()
    text = Text()


class RuleSetForm(Form):
    """A rule set with all that is needed to offer it and to explain it."""

    key = Text()
    title = Text()
    summary = Text()
    version = Text(help_text="Grows when a rule is read differently; matches keep the one they began with.")
    players = list_of(Whole(), help_text="For how many players it is.")
    bets = list_of(Whole(), help_text="What may be bet, besides 0.")
    combinations = CombinationRulesForm()
    scoring = ScoringForm()
    dealing = DealingForm()
    length = LengthForm()
    options = mapping_of(OptionForm(), help_text="By name.")
    rulings = RulingForm(many=True)
