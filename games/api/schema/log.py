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

event_type = enumeration("EventType", EventType.values, "The type of a log entry. New types may be added.")
actor = enumeration("Actor", Actor.values, "Who caused the entry.")


class RoundScoreSerializer(ResponseSerializer):
    """The points of a seat in a round."""

    seat = IntegerField(min_value=0, max_value=2)
    going_out = IntegerField(help_text="Five points for each card in the largest opposing hand.")
    first_out_bonus = IntegerField()
    captured = IntegerField(help_text="The points of captured cards.")
    bets = IntegerField(help_text="Points from the seat's own bet and from the bets of others.")
    total = IntegerField(help_text="The sum of these points.")


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
    """A round ended, and its hands and link are revealed."""

    type = constant_field("round_end")
    number = IntegerField(min_value=1)
    out = list_field(IntegerField(), help_text="The seats that went out, in order.")
    scores = RoundScoreSerializer(many=True, allow_null=True, help_text="Null if the round was abandoned.")
    totals = list_field(IntegerField(), help_text="The points of each seat in the match.")
    hands = list_field(card_list(), help_text="The dealt hands: 17 cards each, including J, Q and K.")
    haggis = card_list(help_text="The cards that were not dealt.")
    link = Hexadecimal(
        allow_null=True,
        help_text="The hash chain link of the deal; null if a record was imported without it.",
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
    description="A consequence of a log entry, by its `type`.",
)


class NextSerializer(ResponseSerializer):
    """The seat to act after an entry."""

    to_act = IntegerField(min_value=0, max_value=2, allow_null=True)
    expects = expectation(allow_null=True)
    deadline = DateTimeField(allow_null=True)


class LogEntrySerializer(ResponseSerializer):
    """One entry of the log. Members that do not apply to its `type` are null."""

    version = IntegerField(
        min_value=1, help_text="The version of the table after this entry; there are no gaps."
    )
    round = IntegerField(
        min_value=1, allow_null=True, help_text="The number of the round; null before the start."
    )
    seat = IntegerField(min_value=0, max_value=2, allow_null=True, help_text="The seat that it concerns.")
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
        required=False,
        allow_blank=True,
        help_text="`joined`, `started`: the client seed, which is now fixed.",
    )
    reason = StringField(required=False, allow_null=True, help_text="`declined`: the reason.")
    asked_by = list_field(
        IntegerField(min_value=0, max_value=2),
        required=False,
        help_text="`pause_asked`, `resume_asked`: the seats that ask for it. Empty once done or withdrawn.",
    )
    until = DateTimeField(
        required=False, allow_null=True, help_text="`paused`: when the match resumes automatically."
    )
    turn_left_ms = IntegerField(
        required=False,
        min_value=0,
        allow_null=True,
        help_text="`paused`: the milliseconds left for the turn.",
    )
    by = actor()
    at = DateTimeField()
    then = list_field(happening, help_text="The consequences of this entry, in order.")
    next = NextSerializer()


class MovedSerializer(ResponseSerializer):
    """The new log entry, and the table after it."""

    move = LogEntrySerializer()
    match = TableSerializer()


class RoundSerializer(ResponseSerializer):
    """A round; after its end with the dealt hands, the link and the scores."""

    number = IntegerField(min_value=1)
    dealer = IntegerField(min_value=0, max_value=2, allow_null=True)
    leader = IntegerField(min_value=0, max_value=2)
    out = list_field(IntegerField(), help_text="The seats that went out, in order.")
    bets = list_field(
        IntegerField(allow_null=True), help_text="The bet of each seat; null if it has not bet."
    )
    scores = RoundScoreSerializer(
        many=True, allow_null=True, help_text="Null during the round, and if it was abandoned."
    )
    totals = list_field(
        IntegerField(), allow_null=True, help_text="The points of each seat in the match after the round."
    )
    hands = list_field(card_list(), allow_null=True, help_text="The dealt hands; null during the round.")
    haggis = card_list(
        allow_null=True,
        help_text="The undealt cards; null during the round, or if imported without them.",
    )
    link = Hexadecimal(allow_null=True, help_text="The hash chain link of the deal; null during the round.")
    first_version = IntegerField(help_text="The version of the first log entry of the round.")
    last_version = IntegerField(
        allow_null=True, help_text="The version of the last log entry; null during the round."
    )
    ended_at = DateTimeField(allow_null=True)
