"""Request and response schemas of the lobby."""

from typing import Any, ClassVar, Final

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from games.api.schema.fields import Hexadecimal, Union, constant_field, enumeration, mapping_field
from games.api.schema.table import (
    AgreementSerializer,
    ResultSerializer,
    SeatSerializer,
    lateness_end,
    match_status,
    match_visibility,
    timeout_action,
)
from games.api.serializers import (
    DateTimeField,
    IntegerField,
    RequestSerializer,
    StrictBooleanField,
    StrictChoiceField,
    StringField,
)
from games.core.errors import FIELD_CODES
from games.gateway.agreement import rule_set_keys
from games.gateway.ai import LEVEL_NAMES
from games.identity.models import MAX_USERNAME_LENGTH
from games.lobby.services.creation import AI, DEFAULT_TURN_SECONDS, KINDS, ME, OPEN, PLAYER

MAX_SEED_LENGTH: Final = 64
MAX_REASON_LENGTH: Final = 200
MIN_TURN_LENGTH: Final = 10
MAX_TURN_LENGTH: Final = 30 * 24 * 3600
FEWEST, MOST = 2, 3

# What a seat must say besides its kind.
_BESIDES: Final = {PLAYER: "username", AI: "level"}


_SEED: Final = (
    "Your share in the deals, public from then on; any text. Left out: empty, or as it was given before."
)


def _seed() -> StringField:
    return StringField(max_length=MAX_SEED_LENGTH, allow_blank=True, required=False, help_text=_SEED)


class RuleSetKey(StringField):
    """The key of a rule set; the engine says whether there is one."""

    component, meaning = "RuleSetKey", "A rule set by its key."
    choices: ClassVar = rule_set_keys()


class MySeatRequestSerializer(RequestSerializer):
    """A seat for the maker."""

    kind = constant_field(ME)


class MySeatNowRequestSerializer(MySeatRequestSerializer):
    """A seat for the maker, who may give a seed."""

    client_seed = _seed()


class OpenSeatRequestSerializer(RequestSerializer):
    """A seat for whoever comes."""

    kind = constant_field(OPEN)


class PlayerSeatRequestSerializer(RequestSerializer):
    """A seat kept for a player, who is invited."""

    kind = constant_field(PLAYER)
    username = StringField(max_length=MAX_USERNAME_LENGTH)


class AiSeatRequestSerializer(RequestSerializer):
    """A seat for an AI."""

    kind = constant_field(AI)
    level = enumeration("Level", LEVEL_NAMES, "How strong an AI is. More may come.")()


_SEATS: Final[dict[str, type[RequestSerializer]]] = {
    OPEN: OpenSeatRequestSerializer,
    PLAYER: PlayerSeatRequestSerializer,
    AI: AiSeatRequestSerializer,
}


SEAT_UNION: Final = Union(
    "Seat", {ME: MySeatRequestSerializer, **_SEATS}, told_by="kind", meaning="Whose a seat is to be."
)
REFILL: Final = Union(
    "Refill", {ME: MySeatNowRequestSerializer, **_SEATS}, told_by="kind", meaning="Whose a seat is to be now."
)


class SeatRequestSerializer(RequestSerializer):
    """A seat: whose it is to be."""

    @classmethod
    def described_as(cls) -> Union:
        """Tell clients of it kind by kind."""
        return SEAT_UNION

    kind = StrictChoiceField(choices=KINDS)
    username = StringField(max_length=MAX_USERNAME_LENGTH, required=False)
    level = StringField(max_length=16, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Want exactly what goes with the kind."""
        needed = _BESIDES.get(attrs["kind"])
        faults = {name: _error_detail("unknown_field") for name in self._others(attrs) if name != needed}
        if needed is not None and needed not in attrs:
            faults[needed] = _error_detail("required")
        if faults:
            raise ValidationError(faults)
        return attrs

    def _others(self, attrs: dict[str, Any]) -> set[str]:
        return set(attrs) - {"kind"}


class RefillRequestSerializer(SeatRequestSerializer):
    """A seat filled otherwise; the maker who takes it may give a seed."""

    @classmethod
    def described_as(cls) -> Union:
        """The same, with the seed."""
        return REFILL

    client_seed = _seed()

    def _others(self, attrs: dict[str, Any]) -> set[str]:
        return super()._others(attrs) - ({"client_seed"} if attrs["kind"] == ME else set())


class MatchRequestSerializer(RequestSerializer):
    """A match as it is asked for."""

    defaults: ClassVar = {
        "turn_seconds": DEFAULT_TURN_SECONDS,
        "time_bank_seconds": 0,
        "on_timeout": "move",
        "timeouts_allowed": 3,
        "after_timeouts": "caretaker",
        "vacations": True,
        "pauses": True,
        "visibility": "public",
        "rated": False,
        "hints": False,
        "hold": False,
        "client_seed": "",
        "options": {},
    }

    ruleset = RuleSetKey(max_length=32)
    options = mapping_field(
        StringField(max_length=32),
        required=False,
        help_text="Options by name; those left out have their defaults.",
    )
    players = IntegerField(
        min_value=FEWEST,
        max_value=MOST,
        required=False,
        help_text="Left out: as many as there are `seats`, else as few as the rule set is for.",
    )
    target_score = IntegerField(
        min_value=1,
        max_value=1000,
        required=False,
        allow_null=True,
        help_text="Played until somebody has so many points. Left out: 250, unless `rounds` is given.",
    )
    rounds = IntegerField(
        min_value=1,
        max_value=100,
        required=False,
        allow_null=True,
        help_text="So many rounds. Left out: as many as it takes.",
    )
    seats = serializers.ListField(
        child=SeatRequestSerializer(),
        min_length=FEWEST,
        max_length=MOST,
        required=False,
        help_text="One for each player. Left out: one `me`, the rest `open`. All may be AIs.",
    )
    turn_seconds = IntegerField(
        min_value=MIN_TURN_LENGTH,
        max_value=MAX_TURN_LENGTH,
        required=False,
        allow_null=True,
        help_text="Time for each turn; null: no clock. `GET /clocks` lists usual ones.",
    )
    time_bank_seconds = IntegerField(
        min_value=0,
        max_value=MAX_TURN_LENGTH,
        required=False,
        help_text="Time on top for each seat, once a match.",
    )
    on_timeout = timeout_action(required=False)
    timeouts_allowed = IntegerField(
        min_value=0, max_value=100, required=False, help_text="How many in a row before `after_timeouts`."
    )
    after_timeouts = lateness_end(required=False)
    vacations = StrictBooleanField(
        required=False, help_text="Whether time stands still while a player is on vacation."
    )
    pauses = StrictBooleanField(
        required=False, help_text="Whether it can be paused, when all its players agree."
    )
    visibility = match_visibility(required=False)
    rated = StrictBooleanField(required=False, help_text="Between registered people only.")
    hints = StrictBooleanField(required=False, help_text="Whether hints may be asked for.")
    hold = StrictBooleanField(required=False, help_text="Whether it waits for its maker to start it.")
    client_seed = _seed()


class JoinRequestSerializer(RequestSerializer):
    """Sitting down."""

    seat = IntegerField(
        min_value=0, max_value=MOST - 1, required=False, help_text="Left out: the first one that is open."
    )
    client_seed = _seed()


class SeedRequestSerializer(RequestSerializer):
    """One's share in the deals."""

    client_seed = _seed()


class DeclineRequestSerializer(RequestSerializer):
    """Turning an invitation down."""

    defaults: ClassVar = {"reason": ""}

    reason = StringField(
        max_length=MAX_REASON_LENGTH,
        allow_blank=True,
        required=False,
        help_text="For everybody who may see the match.",
    )


def _error_detail(code: str) -> list[ErrorDetail]:
    return [ErrorDetail(FIELD_CODES[code], code)]


class ListedMatchSerializer(AgreementSerializer):
    """A match as it stands in a list, the same for everybody."""

    status = match_status()
    version = IntegerField(min_value=0)
    open_seats = IntegerField(min_value=0, max_value=3, help_text="How many seats anybody may take.")
    round_number = IntegerField(allow_null=True, help_text="Null before the start.")
    to_act = IntegerField(allow_null=True, help_text="The seat whose turn it is.")
    imported_at = DateTimeField(
        allow_null=True, help_text="When it was taken from a record; null if played here."
    )
    anchor = Hexadecimal(
        allow_null=True,
        help_text="Link 0 of the chain that every deal comes from. Null if imported without.",
    )
    created_at = DateTimeField()
    started_at = DateTimeField(allow_null=True)
    finished_at = DateTimeField(allow_null=True)
    expires_at = DateTimeField(allow_null=True, help_text="When it is called off, if it is still open then.")
    seats = SeatSerializer(many=True)
    result = ResultSerializer(allow_null=True)
    next_match = StringField(
        allow_null=True, help_text="The id of the match that was made after it by the same players."
    )


class MyMatchSerializer(ListedMatchSerializer):
    """A match of one's own, with what is urgent about it."""

    my_seat = IntegerField(allow_null=True, help_text="Where one sits.")
    my_turn = StrictBooleanField()
    deadline = DateTimeField(allow_null=True, help_text="When the time of the seat to act is over.")
    seconds_left = IntegerField(allow_null=True, help_text="Until then.")


class InvitationSerializer(ListedMatchSerializer):
    """A match that one is asked to play in."""

    my_seat = IntegerField(allow_null=True, help_text="The seat that is kept.")
