"""Schema of log entries and rounds."""

from games.api.schema.fields import (
    CombinationSerializer,
    Hexadecimal,
    ResponseSerializer,
    Union,
    card_list,
    constant_field,
    enumeration,
    list_field,
    wild_cards,
)
from games.api.schema.table import ResultSerializer, TableSerializer, expectation
from games.api.serializers import DateTimeField, IntegerField, StringField
from games.matches.models.log import Actor, EventType

event_type = enumeration("EventType", EventType.values, "What can happen at a table. More may come.")
actor = enumeration("Actor", Actor.values, "Who did it.")


class RoundScoreSerializer(ResponseSerializer):
    """What a seat made in a round."""

    seat = IntegerField(min_value=0, max_value=2)
    going_out = IntegerField(help_text="Five for each card in the largest opposing hand.")
    first_out_bonus = IntegerField()
    captured = IntegerField(help_text="Points of captured cards.")
    bets = IntegerField(help_text="Of one's own bet and of those of others.")
    total = IntegerField(help_text="All of it.")


class TrickEndSerializer(ResponseSerializer):
    """A trick ended."""

    type = constant_field("trick_end")
    winner = IntegerField(min_value=0, max_value=2)
    captured_by = IntegerField(min_value=0, max_value=2, allow_null=True)


class OutSerializer(ResponseSerializer):
    """A seat went out."""

    type = constant_field("out")
    seat = IntegerField(min_value=0, max_value=2)


class RoundEndSerializer(ResponseSerializer):
    """A round ended, and all of it is laid open."""

    type = constant_field("round_end")
    number = IntegerField(min_value=1)
    out = list_field(IntegerField(), help_text="The seats that went out, in order.")
    scores = RoundScoreSerializer(many=True, allow_null=True, help_text="Null where the round was cut short.")
    totals = list_field(IntegerField(), help_text="The points of each seat in the match.")
    hands = list_field(card_list(), help_text="As dealt: 17 cards each, J, Q and K included.")
    haggis = card_list(help_text="The cards that nobody was dealt.")
    link = Hexadecimal(
        allow_null=True, help_text="The link that the round was dealt from; null if imported without."
    )


class DealSerializer(ResponseSerializer):
    """The next round was dealt."""

    type = constant_field("deal")
    number = IntegerField(min_value=1)
    dealer = IntegerField(min_value=0, max_value=2, allow_null=True)
    leader = IntegerField(min_value=0, max_value=2)


class MatchEndSerializer(ResponseSerializer):
    """The match ended."""

    type = constant_field("match_end")
    result = ResultSerializer()


happening = Union(
    "Happening",
    {
        "trick_end": TrickEndSerializer,
        "out": OutSerializer,
        "round_end": RoundEndSerializer,
        "deal": DealSerializer,
        "match_end": MatchEndSerializer,
    },
    meaning="What an entry brought about, by its `type`.",
)


class NextSerializer(ResponseSerializer):
    """Who is to act after an entry."""

    to_act = IntegerField(min_value=0, max_value=2, allow_null=True)
    expects = expectation(allow_null=True)
    deadline = DateTimeField(allow_null=True)


class LogEntrySerializer(ResponseSerializer):
    """One thing that happened. What does not belong to its `type` is null."""

    version = IntegerField(min_value=1, help_text="The version of the table that it made; there are no gaps.")
    round = IntegerField(
        min_value=1, allow_null=True, help_text="The round that it belongs to; null before the start."
    )
    seat = IntegerField(min_value=0, max_value=2, allow_null=True, help_text="Whose it is.")
    type = event_type()
    cards = card_list(allow_null=True, help_text="`play`")
    combination = CombinationSerializer(allow_null=True, help_text="`play`")
    wilds = wild_cards(allow_null=True)
    amount = IntegerField(min_value=0, allow_null=True, help_text="`bet`")
    to = IntegerField(
        min_value=0, max_value=2, allow_null=True, help_text="`award`: the seat that captures the trick."
    )
    level = StringField(
        required=False, allow_null=True, help_text="`joined`, `seat_changed`: the level of an AI."
    )
    client_seed = StringField(
        required=False, allow_blank=True, help_text="`joined`, `started`: the seed that is fixed."
    )
    reason = StringField(required=False, allow_null=True, help_text="`declined`: why.")
    asked_by = list_field(
        IntegerField(min_value=0, max_value=2),
        required=False,
        help_text="`pause_asked`, `resume_asked`: who wants it now. Empty where it was done or taken back.",
    )
    until = DateTimeField(required=False, allow_null=True, help_text="`paused`: when it goes on by itself.")
    turn_left_ms = IntegerField(
        required=False, min_value=0, allow_null=True, help_text="`paused`: what the turn has left."
    )
    by = actor()
    at = DateTimeField()
    then = list_field(happening, help_text="What it brought about, in order.")
    next = NextSerializer()


class MovedSerializer(ResponseSerializer):
    """What was done, and the table after it."""

    move = LogEntrySerializer()
    match = TableSerializer()


class RoundSerializer(ResponseSerializer):
    """A round; once it has ended with its deal, its link and its scores."""

    number = IntegerField(min_value=1)
    dealer = IntegerField(min_value=0, max_value=2, allow_null=True)
    leader = IntegerField(min_value=0, max_value=2)
    out = list_field(IntegerField(), help_text="The seats that went out, in order.")
    bets = list_field(IntegerField(allow_null=True), help_text="What each seat bet; null nothing.")
    scores = RoundScoreSerializer(
        many=True, allow_null=True, help_text="Null while it runs, and where it was cut short."
    )
    totals = list_field(IntegerField(), allow_null=True, help_text="The points of each seat after it.")
    hands = list_field(card_list(), allow_null=True, help_text="As dealt; null while it runs.")
    haggis = card_list(allow_null=True, help_text="Null while it runs, or if imported without.")
    link = Hexadecimal(allow_null=True, help_text="Null while it runs.")
    first_version = IntegerField(help_text="The entry of the log that it began with.")
    last_version = IntegerField(allow_null=True, help_text="The entry that it ended with.")
    ended_at = DateTimeField(allow_null=True)
