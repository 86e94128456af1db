"""Matches: what was agreed, who sits where, and how they stand in lists."""

from games.api.schema.fields import Form, Hexadecimal, enumeration, list_of, mapping_of
from games.api.schema.forms.accounts import player_kind
from games.api.shapes import Flag, Moment, Text, Whole
from games.models import AfterTimeouts, MatchStatus, OnTimeout, SeatState, Visibility

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


class ClockForm(Form):
    """How much time there is, and what happens when it is over."""

    turn_seconds = Whole(min_value=0, allow_null=True, help_text="Time for each turn; null: no clock.")
    time_bank_seconds = Whole(min_value=0, help_text="Time on top, once a match.")
    on_timeout = timeout_action()
    timeouts_allowed = Whole(
        min_value=0, help_text="How many in a row the clock moves for; one more brings `after_timeouts`."
    )
    after_timeouts = lateness_end()
    vacations = Flag(help_text="Whether time stands still while the player to act is on vacation.")
    pauses = Flag(help_text="Whether the match can be paused, when all its players agree.")


class SeatPlayerForm(Form):
    """Who holds a seat."""

    username = Text()
    kind = player_kind()


class SeatForm(Form):
    """A seat as everybody may see it."""

    seat = Whole(min_value=0, max_value=2, help_text="Its number; left is the next one.")
    state = seat_state()
    player = SeatPlayerForm(allow_null=True, help_text="Null where nobody or an AI sits.")
    level = Text(allow_null=True, help_text="The level of an AI seat.")
    imported_name = Text(
        allow_null=True,
        help_text="Who sat there where the match was played elsewhere: no account of this server.",
    )
    client_seed = Text(allow_blank=True, help_text="The player's share in the deals.")
    score = Whole(help_text="Points in the match.")
    time_bank_left = Whole(min_value=0, help_text="Seconds.")
    timeouts = Whole(min_value=0, help_text="How often in a row it was late.")
    vacation = Moment(allow_null=True, help_text="Until when its player is on vacation.")


class ResultForm(Form):
    """How a match ended."""

    winners = list_of(Whole(min_value=0, max_value=2), help_text="Their seats; none where it was annulled.")
    scores = list_of(Whole(), help_text="The points of each seat.")
    reason = result_reason()


class AgreementForm(Form):
    """What was agreed when a match was made."""

    id = Text(help_text="Opaque.")
    maker = Text(help_text="The name of the player who made it.")
    ruleset = Text(help_text="The key of its rule set.")
    ruleset_version = Text(help_text="The version of the rules that it is played by to its end.")
    options = mapping_of(Text(), help_text="Every option of the rule set with its value.")
    players = Whole(min_value=2, max_value=3)
    target_score = Whole(
        allow_null=True, help_text="Played until somebody has so many; null where rounds are."
    )
    rounds = Whole(allow_null=True, help_text="So many rounds; null where a target is.")
    visibility = match_visibility()
    rated = Flag()
    hints = Flag(help_text="Whether hints may be asked for.")
    hold = Flag(help_text="Whether it starts only when its maker says so.")
    clock = ClockForm()


class ListedMatchForm(AgreementForm):
    """A match as it stands in a list, the same for everybody."""

    status = match_status()
    version = Whole(min_value=0)
    open_seats = Whole(min_value=0, max_value=3, help_text="How many seats anybody may take.")
    round_number = Whole(allow_null=True, help_text="Null before the start.")
    to_act = Whole(allow_null=True, help_text="The seat whose turn it is.")
    imported_at = Moment(allow_null=True, help_text="When it was taken from a record; null if played here.")
    anchor = Hexadecimal(
        allow_null=True,
        help_text="Link 0 of the chain that every deal comes from. Null if imported without.",
    )
    created_at = Moment()
    started_at = Moment(allow_null=True)
    finished_at = Moment(allow_null=True)
    expires_at = Moment(allow_null=True, help_text="When it is called off, if it is still open then.")
    seats = SeatForm(many=True)
    result = ResultForm(allow_null=True)
    next_match = Text(
        allow_null=True, help_text="The id of the match that was made after it by the same players."
    )


class MyMatchForm(ListedMatchForm):
    """A match of one's own, with what is urgent about it."""

    my_seat = Whole(allow_null=True, help_text="Where one sits.")
    my_turn = Flag()
    deadline = Moment(allow_null=True, help_text="When the time of the seat to act is over.")
    seconds_left = Whole(allow_null=True, help_text="Until then.")


class InvitationForm(ListedMatchForm):
    """A match that one is asked to play in."""

    my_seat = Whole(allow_null=True, help_text="The seat that is kept.")
