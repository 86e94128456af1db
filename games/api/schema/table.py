"""Schema of matches, seats and tables."""

from games.api.schema.fields import (
    CombinationSerializer,
    Hexadecimal,
    ResponseSerializer,
    card_list,
    enumeration,
    list_field,
    mapping_field,
    wild_cards,
)
from games.api.serializers import DateTimeField, IntegerField, StrictBooleanField, StringField
from games.identity.models import PlayerKind
from games.matches.models.match import AfterTimeouts, MatchStatus, OnTimeout, SeatState, Visibility

player_kind = enumeration("PlayerKind", PlayerKind.values, "The kind of an account.")


class PauseSerializer(ResponseSerializer):
    """A pause, or the proposal of one."""

    paused = StrictBooleanField(help_text="Whether the match is paused now.")
    asked_by = list_field(
        IntegerField(min_value=0, max_value=2),
        help_text="The seats that ask for a pause or, during a pause, ask to resume.",
    )
    until = DateTimeField(
        allow_null=True, help_text="When the match resumes automatically; null if the pause is only proposed."
    )


match_status = enumeration("MatchStatus", MatchStatus.values, "The status of a match.")
match_visibility = enumeration("Visibility", Visibility.values, "Who may see a match.")
timeout_action = enumeration(
    "OnTimeout", OnTimeout.values, "What the service does when a player's time runs out."
)
lateness_end = enumeration(
    "AfterTimeouts", AfterTimeouts.values, "What happens to a seat after too many timeouts."
)
seat_state = enumeration("SeatState", SeatState.values, "Who acts for a seat.")
result_reason = enumeration(
    "ResultReason", ("target", "rounds", "resigned", "forfeit", "annulled"), "Why a match is over."
)


class ClockSerializer(ResponseSerializer):
    """The time control of a match, and what happens when time runs out."""

    turn_seconds = IntegerField(
        min_value=0, allow_null=True, help_text="Seconds for each turn; null: no clock."
    )
    time_bank_seconds = IntegerField(
        min_value=0, help_text="Extra seconds for each seat for the whole match."
    )
    on_timeout = timeout_action()
    timeouts_allowed = IntegerField(
        min_value=0,
        help_text="The consecutive timeouts that `on_timeout` handles; one more triggers `after_timeouts`.",
    )
    after_timeouts = lateness_end()
    vacations = StrictBooleanField(
        help_text="Whether the clock stops while the player to act is on vacation."
    )
    pauses = StrictBooleanField(help_text="Whether the match can be paused if all its players agree.")


class SeatPlayerSerializer(ResponseSerializer):
    """The player in a seat."""

    username = StringField()
    kind = player_kind()


class SeatSerializer(ResponseSerializer):
    """The public state of a seat."""

    seat = IntegerField(
        min_value=0, max_value=2, help_text="The number of the seat; the next number is on its left."
    )
    state = seat_state()
    player = SeatPlayerSerializer(allow_null=True, help_text="Null if the seat is open or an AI's.")
    level = StringField(allow_null=True, help_text="The level of an AI seat.")
    imported_name = StringField(
        allow_null=True,
        help_text="The name of the player in an imported record, who has no account on this server.",
    )
    client_seed = StringField(
        allow_blank=True, help_text="The player's contribution to the randomness of the deals."
    )
    score = IntegerField(help_text="Points in the match.")
    time_bank_left = IntegerField(min_value=0, help_text="The remaining extra time, in seconds.")
    timeouts = IntegerField(min_value=0, help_text="The number of consecutive timeouts.")
    vacation = DateTimeField(allow_null=True, help_text="When the player's vacation ends; null without one.")


class ResultSerializer(ResponseSerializer):
    """The result of a match."""

    winners = list_field(
        IntegerField(min_value=0, max_value=2),
        help_text="The seats that won; empty if the match was annulled.",
    )
    scores = list_field(IntegerField(), help_text="The points of each seat.")
    reason = result_reason()


rating_skip = enumeration(
    "RatingSkip",
    ("same_opponents", "annulled", "not_possible"),
    "Why a finished rated match does not change ratings.",
)


class SeatRatingSerializer(ResponseSerializer):
    """The rating of the player in a seat before and after the match."""

    seat = IntegerField(min_value=0, max_value=2)
    before = IntegerField(help_text="The rating before the match; 1500 for a newcomer.")
    after = IntegerField(help_text="The rating after the match.")


class TableResultSerializer(ResultSerializer):
    """The result of a match, and what it changed if it was rated."""

    ratings = SeatRatingSerializer(
        many=True,
        required=False,
        allow_null=True,
        help_text="Only in rated matches: the change of each rating; null until seconds after the end, and "
        "if the match does not count.",
    )
    rating_skipped = rating_skip(
        required=False, allow_null=True, help_text="Only in rated matches: why the match does not count."
    )


class AgreementSerializer(ResponseSerializer):
    """The settings of a match."""

    id = StringField(help_text="The id of the match.")
    maker = StringField(help_text="The username of the player who created the match.")
    ruleset = StringField(help_text="The key of the rule set.")
    ruleset_version = StringField(help_text="The version of the rules, which does not change during a match.")
    options = mapping_field(StringField(), help_text="Every option of the rule set with its value.")
    players = IntegerField(min_value=2, max_value=3)
    target_score = IntegerField(
        allow_null=True, help_text="The score that ends the match; null if `rounds` is set."
    )
    rounds = IntegerField(allow_null=True, help_text="The number of rounds; null if `target_score` is set.")
    visibility = match_visibility()
    rated = StrictBooleanField()
    hints = StrictBooleanField(help_text="Whether hints are available.")
    hold = StrictBooleanField(
        help_text="Whether the maker has to start the match; otherwise it starts when all seats are filled."
    )
    clock = ClockSerializer()


expectation = enumeration(
    "Expects", ("play", "play_or_pass", "award"), "The action that is expected from the seat to act."
)


class HandSerializer(ResponseSerializer):
    """A hand: its size and face cards are public, its other cards are visible to its seat only."""

    seat = IntegerField(min_value=0, max_value=2)
    count = IntegerField(min_value=0, max_value=17, help_text="The number of cards, including face cards.")
    faces = card_list(help_text="The remaining J, Q and K, which are public.")
    cards = card_list(
        allow_null=True, help_text="All cards, including face cards; null in the hands of other seats."
    )


class TurnSerializer(ResponseSerializer):
    """One turn of a trick: a play or a pass."""

    seat = IntegerField(min_value=0, max_value=2)
    type = enumeration("TurnType", ("play", "pass"), "The type of a turn.")()
    cards = card_list(allow_null=True, help_text="Null for a pass.")
    combination = CombinationSerializer(
        allow_null=True, help_text="The combination that the cards were played as; null for a pass."
    )
    wilds = wild_cards(allow_null=True)


class TrickSerializer(ResponseSerializer):
    """A finished trick."""

    winner = IntegerField(min_value=0, max_value=2, help_text="The seat that made the last play.")
    captured_by = IntegerField(
        min_value=0, max_value=2, allow_null=True, help_text="The seat that received the cards."
    )
    plays = TurnSerializer(many=True, help_text="Every turn, including passes.")


class RunningRoundSerializer(ResponseSerializer):
    """The current round."""

    number = IntegerField(min_value=1)
    dealer = IntegerField(
        min_value=0, max_value=2, allow_null=True, help_text="Null if the rule set has no dealer."
    )
    leader = IntegerField(min_value=0, max_value=2, help_text="The seat that led the first trick.")
    to_act = IntegerField(min_value=0, max_value=2, allow_null=True, help_text="The seat whose turn it is.")
    expects = expectation(allow_null=True)
    hands = HandSerializer(many=True)
    bets = list_field(
        IntegerField(allow_null=True),
        help_text="The bet of each seat: null if it has not decided, 0 if it declined to bet.",
    )
    out = list_field(IntegerField(), help_text="The seats that went out, in order.")
    haggis_count = IntegerField(help_text="The number of cards that were not dealt.")
    captured = list_field(card_list(), help_text="The cards that each seat has captured, which are public.")
    trick = TurnSerializer(many=True, help_text="The turns of the current trick; empty before the lead.")
    last_trick = TrickSerializer(allow_null=True)
    deadline = DateTimeField(allow_null=True, help_text="When the time of the seat to act runs out.")
    seconds_left = IntegerField(
        allow_null=True,
        help_text="Seconds until the deadline; during a pause, the seconds left for the turn.",
    )


class YouSerializer(ResponseSerializer):
    """The options of the viewer, if seated."""

    seat = IntegerField(min_value=0, max_value=2)
    to_act = StrictBooleanField(help_text="Whether it is your turn.")
    may_bet = StrictBooleanField()
    bets = list_field(IntegerField(), help_text="The amounts that you may bet now.")
    awards = list_field(IntegerField(), help_text="The seats that you may award the trick to.")
    standing_order = StrictBooleanField(
        help_text="Whether you have a standing order to pass for the rest of this trick."
    )


class TableSerializer(AgreementSerializer):
    """A match as the viewer sees it."""

    status = match_status()
    version = IntegerField(min_value=0, help_text="Increases by one with every event. Send it with actions.")
    now = DateTimeField(help_text="The current time of the server.")
    created_at = DateTimeField()
    started_at = DateTimeField(allow_null=True)
    finished_at = DateTimeField(allow_null=True)
    imported_at = DateTimeField(
        allow_null=True, help_text="When the match was imported from a record; null if it was played here."
    )
    anchor = Hexadecimal(
        allow_null=True,
        help_text="Link 0 of the hash chain that determines the deals; null if imported without it.",
    )
    seats = SeatSerializer(many=True)
    pause = PauseSerializer(allow_null=True, help_text="Null if no pause is proposed or running.")
    round = RunningRoundSerializer(allow_null=True, help_text="Null unless the match is being played.")
    result = TableResultSerializer(allow_null=True, help_text="Null until the match is finished.")
    next_match = StringField(
        allow_null=True, help_text="The id of the rematch by the same players; null without one."
    )
    you = YouSerializer(allow_null=True, help_text="Null if the viewer is not seated.")
