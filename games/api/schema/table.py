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

player_kind = enumeration("PlayerKind", PlayerKind.values, "What stands behind an account.")


class PauseSerializer(ResponseSerializer):
    """A pause, or that somebody wants one."""

    paused = StrictBooleanField(help_text="Whether the match stands still now.")
    asked_by = list_field(
        IntegerField(min_value=0, max_value=2),
        help_text="The seats that want a pause, or during one want to play on.",
    )
    until = DateTimeField(allow_null=True, help_text="When it goes on by itself; null while nobody but asks.")


match_status = enumeration("MatchStatus", MatchStatus.values, "What may be done with a match.")
match_visibility = enumeration("Visibility", Visibility.values, "Who may see a match.")
timeout_action = enumeration("OnTimeout", OnTimeout.values, "What the clock does for a late player.")
lateness_end = enumeration(
    "AfterTimeouts", AfterTimeouts.values, "What becomes of a seat that is late too often."
)
seat_state = enumeration("SeatState", SeatState.values, "Who acts for a seat.")
result_reason = enumeration(
    "ResultReason", ("target", "rounds", "resigned", "forfeit", "annulled"), "Why a match is over."
)


class ClockSerializer(ResponseSerializer):
    """How much time there is, and what happens when it is over."""

    turn_seconds = IntegerField(min_value=0, allow_null=True, help_text="Time for each turn; null: no clock.")
    time_bank_seconds = IntegerField(min_value=0, help_text="Time on top, once a match.")
    on_timeout = timeout_action()
    timeouts_allowed = IntegerField(
        min_value=0, help_text="How many in a row the clock moves for; one more brings `after_timeouts`."
    )
    after_timeouts = lateness_end()
    vacations = StrictBooleanField(
        help_text="Whether time stands still while the player to act is on vacation."
    )
    pauses = StrictBooleanField(help_text="Whether the match can be paused, when all its players agree.")


class SeatPlayerSerializer(ResponseSerializer):
    """Who holds a seat."""

    username = StringField()
    kind = player_kind()


class SeatSerializer(ResponseSerializer):
    """A seat as everybody may see it."""

    seat = IntegerField(min_value=0, max_value=2, help_text="Its number; left is the next one.")
    state = seat_state()
    player = SeatPlayerSerializer(allow_null=True, help_text="Null where nobody or an AI sits.")
    level = StringField(allow_null=True, help_text="The level of an AI seat.")
    imported_name = StringField(
        allow_null=True,
        help_text="Who sat there where the match was played elsewhere: no account of this server.",
    )
    client_seed = StringField(allow_blank=True, help_text="The player's share in the deals.")
    score = IntegerField(help_text="Points in the match.")
    time_bank_left = IntegerField(min_value=0, help_text="Seconds.")
    timeouts = IntegerField(min_value=0, help_text="How often in a row it was late.")
    vacation = DateTimeField(allow_null=True, help_text="Until when its player is on vacation.")


class ResultSerializer(ResponseSerializer):
    """How a match ended."""

    winners = list_field(
        IntegerField(min_value=0, max_value=2), help_text="Their seats; none where it was annulled."
    )
    scores = list_field(IntegerField(), help_text="The points of each seat.")
    reason = result_reason()


class AgreementSerializer(ResponseSerializer):
    """What was agreed when a match was made."""

    id = StringField(help_text="Opaque.")
    maker = StringField(help_text="The name of the player who made it.")
    ruleset = StringField(help_text="The key of its rule set.")
    ruleset_version = StringField(help_text="The version of the rules that it is played by to its end.")
    options = mapping_field(StringField(), help_text="Every option of the rule set with its value.")
    players = IntegerField(min_value=2, max_value=3)
    target_score = IntegerField(
        allow_null=True, help_text="Played until somebody has so many; null where rounds are."
    )
    rounds = IntegerField(allow_null=True, help_text="So many rounds; null where a target is.")
    visibility = match_visibility()
    rated = StrictBooleanField()
    hints = StrictBooleanField(help_text="Whether hints may be asked for.")
    hold = StrictBooleanField(help_text="Whether it starts only when its maker says so.")
    clock = ClockSerializer()


expectation = enumeration("Expects", ("play", "play_or_pass", "award"), "What the seat to act has to do.")


class HandSerializer(ResponseSerializer):
    """A hand: its size and its face cards for everybody, its cards for its own seat alone."""

    seat = IntegerField(min_value=0, max_value=2)
    count = IntegerField(min_value=0, max_value=17, help_text="How many cards it holds, face cards included.")
    faces = card_list(help_text="Its J, Q and K that are left: everybody sees them.")
    cards = card_list(
        allow_null=True, help_text="The whole hand, face cards included; null for everybody else."
    )


class TurnSerializer(ResponseSerializer):
    """One turn of a trick: a play or a pass."""

    seat = IntegerField(min_value=0, max_value=2)
    type = enumeration("TurnType", ("play", "pass"), "What was done.")()
    cards = card_list(allow_null=True, help_text="Null for a pass.")
    combination = CombinationSerializer(
        allow_null=True, help_text="What they were played as; null for a pass."
    )
    wilds = wild_cards(allow_null=True)


class TrickSerializer(ResponseSerializer):
    """A trick that has ended."""

    winner = IntegerField(min_value=0, max_value=2, help_text="Who made its last play.")
    captured_by = IntegerField(min_value=0, max_value=2, allow_null=True, help_text="Who got its cards.")
    plays = TurnSerializer(many=True, help_text="Every turn, passes too.")


class RunningRoundSerializer(ResponseSerializer):
    """The round that is being played."""

    number = IntegerField(min_value=1)
    dealer = IntegerField(
        min_value=0, max_value=2, allow_null=True, help_text="Null where the rule set has none."
    )
    leader = IntegerField(min_value=0, max_value=2, help_text="Who led the first trick.")
    to_act = IntegerField(min_value=0, max_value=2, allow_null=True, help_text="The seat whose turn it is.")
    expects = expectation(allow_null=True)
    hands = HandSerializer(many=True)
    bets = list_field(
        IntegerField(allow_null=True),
        help_text="What each seat bet: null nothing yet, 0 declared that it does not.",
    )
    out = list_field(IntegerField(), help_text="The seats that went out, in order.")
    haggis_count = IntegerField(help_text="How many cards nobody was dealt.")
    captured = list_field(
        card_list(), help_text="The cards that each seat has captured: all saw them played."
    )
    trick = TurnSerializer(many=True, help_text="The turns of the running trick; empty when it is to be led.")
    last_trick = TrickSerializer(allow_null=True)
    deadline = DateTimeField(allow_null=True, help_text="When the time of the seat to act is over.")
    seconds_left = IntegerField(allow_null=True, help_text="Until then; in a pause, what the turn has left.")


class YouSerializer(ResponseSerializer):
    """What the viewer may do at the own seat."""

    seat = IntegerField(min_value=0, max_value=2)
    to_act = StrictBooleanField(help_text="Whether it is your turn.")
    may_bet = StrictBooleanField()
    bets = list_field(IntegerField(), help_text="The amounts that you may bet now.")
    awards = list_field(IntegerField(), help_text="The seats that you may award the trick to.")
    standing_order = StrictBooleanField(
        help_text="Whether you have ordered to pass for the rest of this trick."
    )


class TableSerializer(AgreementSerializer):
    """A match as its viewer may see it."""

    status = match_status()
    version = IntegerField(
        min_value=0, help_text="Grows by one with everything that happens. Actions name it."
    )
    now = DateTimeField(help_text="The time of the service.")
    created_at = DateTimeField()
    started_at = DateTimeField(allow_null=True)
    finished_at = DateTimeField(allow_null=True)
    imported_at = DateTimeField(
        allow_null=True, help_text="When it was taken from a record; null if played here."
    )
    anchor = Hexadecimal(
        allow_null=True,
        help_text="Link 0 of the chain that every deal comes from. Null if imported without.",
    )
    seats = SeatSerializer(many=True)
    pause = PauseSerializer(allow_null=True, help_text="Null where nobody wants one.")
    round = RunningRoundSerializer(allow_null=True, help_text="Null unless the match is being played.")
    result = ResultSerializer(allow_null=True, help_text="Null until the match is finished.")
    next_match = StringField(
        allow_null=True, help_text="The id of the match that was made after it by the same players."
    )
    you = YouSerializer(allow_null=True, help_text="Null for who does not sit there.")
