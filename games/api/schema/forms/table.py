"""The table as one viewer may see it."""

from games.api.schema.fields import Form, Hexadecimal, enumeration, list_of
from games.api.schema.forms.clock import PauseForm
from games.api.schema.forms.combinations import CombinationForm, card_list, wild_cards
from games.api.schema.forms.lobby import AgreementForm, ResultForm, SeatForm, match_status
from games.api.shapes import Flag, Moment, Text, Whole

expectation = enumeration("Expects", ("play", "play_or_pass", "award"), "What the seat to act has to do.")


class HandForm(Form):
    """A hand: its size and its face cards for everybody, its cards for its own seat alone."""

    seat = Whole(min_value=0, max_value=2)
    count = Whole(min_value=0, max_value=17, help_text="How many cards it holds, face cards included.")
    faces = card_list(help_text="Its J, Q and K that are left: everybody sees them.")
    cards = card_list(
        allow_null=True, help_text="The whole hand, face cards included; null for everybody else."
    )


class TurnForm(Form):
    """One turn of a trick: a play or a pass."""

    seat = Whole(min_value=0, max_value=2)
    type = enumeration("TurnType", ("play", "pass"), "What was done.")()
    cards = card_list(allow_null=True, help_text="Null for a pass.")
    combination = CombinationForm(allow_null=True, help_text="What they were played as; null for a pass.")
    wilds = wild_cards(allow_null=True)


class TrickForm(Form):
    """A trick that has ended."""

    winner = Whole(min_value=0, max_value=2, help_text="Who made its last play.")
    captured_by = Whole(min_value=0, max_value=2, allow_null=True, help_text="Who got its cards.")
    plays = TurnForm(many=True, help_text="Every turn, passes too.")


class RunningRoundForm(Form):
    """The round that is being played."""

    number = Whole(min_value=1)
    dealer = Whole(min_value=0, max_value=2, allow_null=True, help_text="Null where the rule set has none.")
    leader = Whole(min_value=0, max_value=2, help_text="Who led the first trick.")
    to_act = Whole(min_value=0, max_value=2, allow_null=True, help_text="The seat whose turn it is.")
    expects = expectation(allow_null=True)
    hands = HandForm(many=True)
    bets = list_of(
        Whole(allow_null=True), help_text="What each seat bet: null nothing yet, 0 declared that it does not."
    )
    out = list_of(Whole(), help_text="The seats that went out, in order.")
    haggis_count = Whole(help_text="How many cards nobody was dealt.")
    captured = list_of(card_list(), help_text="The cards that each seat has captured: all saw them played.")
    trick = TurnForm(many=True, help_text="The turns of the running trick; empty when it is to be led.")
    last_trick = TrickForm(allow_null=True)
    deadline = Moment(allow_null=True, help_text="When the time of the seat to act is over.")
    seconds_left = Whole(allow_null=True, help_text="Until then; in a pause, what the turn has left.")


class YouForm(Form):
    """What the viewer may do at the own seat."""

    seat = Whole(min_value=0, max_value=2)
    to_act = Flag(help_text="Whether it is your turn.")
    may_bet = Flag()
    bets = list_of(Whole(), help_text="The amounts that you may bet now.")
    awards = list_of(Whole(), help_text="The seats that you may award the trick to.")
    standing_order = Flag(help_text="Whether you have ordered to pass for the rest of this trick.")


class TableForm(AgreementForm):
    """A match as its viewer may see it."""

    status = match_status()
    version = Whole(min_value=0, help_text="Grows by one with everything that happens. Actions name it.")
    now = Moment(help_text="The time of the service.")
    created_at = Moment()
    started_at = Moment(allow_null=True)
    finished_at = Moment(allow_null=True)
    imported_at = Moment(allow_null=True, help_text="When it was taken from a record; null if played here.")
    anchor = Hexadecimal(
        allow_null=True,
        help_text="Link 0 of the chain that every deal comes from. Null if imported without.",
    )
    seats = SeatForm(many=True)
    pause = PauseForm(allow_null=True, help_text="Null where nobody wants one.")
    round = RunningRoundForm(allow_null=True, help_text="Null unless the match is being played.")
    result = ResultForm(allow_null=True, help_text="Null until the match is finished.")
    next_match = Text(
        allow_null=True, help_text="The id of the match that was made after it by the same players."
    )
    you = YouForm(allow_null=True, help_text="Null for who does not sit there.")
