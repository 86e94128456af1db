"""Schema of log entries and rounds."""

from games.api.schema.fields import (
    CombinationForm,
    Form,
    Hexadecimal,
    Union,
    card_list,
    enumeration,
    list_of,
    only,
    wild_cards,
)
from games.api.schema.table import ResultForm, TableForm, expectation
from games.api.serializers import Moment, Text, Whole
from games.matches.models.log import Actor, EventType

event_type = enumeration("EventType", EventType.values, "What can happen at a table. More may come.")
actor = enumeration("Actor", Actor.values, "Who did it.")


class RoundScoreForm(Form):
    """What a seat made in a round."""

    seat = Whole(min_value=0, max_value=2)
    going_out = Whole(help_text="Five for each card in the largest opposing hand.")
    first_out_bonus = Whole()
    captured = Whole(help_text="Points of captured cards.")
    bets = Whole(help_text="Of one's own bet and of those of others.")
    total = Whole(help_text="All of it.")


class TrickEndForm(Form):
    """A trick ended."""

    type = only("trick_end")
    winner = Whole(min_value=0, max_value=2)
    captured_by = Whole(min_value=0, max_value=2, allow_null=True)


class OutForm(Form):
    """A seat went out."""

    type = only("out")
    seat = Whole(min_value=0, max_value=2)


class RoundEndForm(Form):
    """A round ended, and all of it is laid open."""

    type = only("round_end")
    number = Whole(min_value=1)
    out = list_of(Whole(), help_text="The seats that went out, in order.")
    scores = RoundScoreForm(many=True, allow_null=True, help_text="Null where the round was cut short.")
    totals = list_of(Whole(), help_text="The points of each seat in the match.")
    hands = list_of(card_list(), help_text="As dealt: 17 cards each, J, Q and K included.")
    haggis = card_list(help_text="The cards that nobody was dealt.")
    link = Hexadecimal(
        allow_null=True, help_text="The link that the round was dealt from; null if imported without."
    )


class DealForm(Form):
    """The next round was dealt."""

    type = only("deal")
    number = Whole(min_value=1)
    dealer = Whole(min_value=0, max_value=2, allow_null=True)
    leader = Whole(min_value=0, max_value=2)


class MatchEndForm(Form):
    """The match ended."""

    type = only("match_end")
    result = ResultForm()


happening = Union(
    "Happening",
    {
        "trick_end": TrickEndForm,
        "out": OutForm,
        "round_end": RoundEndForm,
        "deal": DealForm,
        "match_end": MatchEndForm,
    },
    meaning="What an entry brought about, by its `type`.",
)


class NextForm(Form):
    """Who is to act after an entry."""

    to_act = Whole(min_value=0, max_value=2, allow_null=True)
    expects = expectation(allow_null=True)
    deadline = Moment(allow_null=True)


class LogEntryForm(Form):
    """One thing that happened. What does not belong to its `type` is null."""

    version = Whole(min_value=1, help_text="The version of the table that it made; there are no gaps.")
    round = Whole(
        min_value=1, allow_null=True, help_text="The round that it belongs to; null before the start."
    )
    seat = Whole(min_value=0, max_value=2, allow_null=True, help_text="Whose it is.")
    type = event_type()
    cards = card_list(allow_null=True, help_text="`play`")
    combination = CombinationForm(allow_null=True, help_text="`play`")
    wilds = wild_cards(allow_null=True)
    amount = Whole(min_value=0, allow_null=True, help_text="`bet`")
    to = Whole(
        min_value=0, max_value=2, allow_null=True, help_text="`award`: the seat that captures the trick."
    )
    level = Text(required=False, allow_null=True, help_text="`joined`, `seat_changed`: the level of an AI.")
    client_seed = Text(
        required=False, allow_blank=True, help_text="`joined`, `started`: the seed that is fixed."
    )
    reason = Text(required=False, allow_null=True, help_text="`declined`: why.")
    asked_by = list_of(
        Whole(min_value=0, max_value=2),
        required=False,
        help_text="`pause_asked`, `resume_asked`: who wants it now. Empty where it was done or taken back.",
    )
    until = Moment(required=False, allow_null=True, help_text="`paused`: when it goes on by itself.")
    turn_left_ms = Whole(
        required=False, min_value=0, allow_null=True, help_text="`paused`: what the turn has left."
    )
    by = actor()
    at = Moment()
    then = list_of(happening, help_text="What it brought about, in order.")
    next = NextForm()


class MovedForm(Form):
    """What was done, and the table after it."""

    move = LogEntryForm()
    match = TableForm()


class RoundForm(Form):
    """A round; once it has ended with its deal, its link and its scores."""

    number = Whole(min_value=1)
    dealer = Whole(min_value=0, max_value=2, allow_null=True)
    leader = Whole(min_value=0, max_value=2)
    out = list_of(Whole(), help_text="The seats that went out, in order.")
    bets = list_of(Whole(allow_null=True), help_text="What each seat bet; null nothing.")
    scores = RoundScoreForm(
        many=True, allow_null=True, help_text="Null while it runs, and where it was cut short."
    )
    totals = list_of(Whole(), allow_null=True, help_text="The points of each seat after it.")
    hands = list_of(card_list(), allow_null=True, help_text="As dealt; null while it runs.")
    haggis = card_list(allow_null=True, help_text="Null while it runs, or if imported without.")
    link = Hexadecimal(allow_null=True, help_text="Null while it runs.")
    first_version = Whole(help_text="The entry of the log that it began with.")
    last_version = Whole(allow_null=True, help_text="The entry that it ended with.")
    ended_at = Moment(allow_null=True)
