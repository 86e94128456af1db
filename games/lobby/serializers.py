"""Request and response schemas of the lobby."""

from typing import Any, ClassVar, Final

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from games.api.schema.fields import (
    Hexadecimal,
    LegalMovesSerializer,
    Union,
    constant_field,
    enumeration,
    mapping_field,
)
from games.api.schema.table import (
    AgreementSerializer,
    SeatSerializer,
    TableResultSerializer,
    TableSerializer,
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
MIN_PLAYERS, MAX_PLAYERS = 2, 3

# The member that each kind of seat requires.
_REQUIRED_MEMBERS: Final = {PLAYER: "username", AI: "level"}
_SEED_HELP: Final = (
    "Any text. It contributes to the deals, and is public from now on. Left out: empty, or the seed you gave "
    "before."
)


def _seed() -> StringField:
    return StringField(max_length=MAX_SEED_LENGTH, allow_blank=True, required=False, help_text=_SEED_HELP)


class RuleSetKey(StringField):
    """The key of a rule set. The engine checks that it exists."""

    component, description = "RuleSetKey", "The key of a rule set."
    choices: ClassVar = rule_set_keys()


class MySeatRequestSerializer(RequestSerializer[Any]):
    """A seat for the maker."""

    kind = constant_field(ME)


class MySeatNowRequestSerializer(MySeatRequestSerializer):
    """A seat for the maker, who can give a seed."""

    client_seed = _seed()


class OpenSeatRequestSerializer(RequestSerializer[Any]):
    """A seat that anyone can take."""

    kind = constant_field(OPEN)


class PlayerSeatRequestSerializer(RequestSerializer[Any]):
    """A seat reserved for an invited player."""

    kind = constant_field(PLAYER)
    username = StringField(max_length=MAX_USERNAME_LENGTH)


class AiSeatRequestSerializer(RequestSerializer[Any]):
    """A seat for an AI."""

    kind = constant_field(AI)
    level = enumeration("Level", LEVEL_NAMES, "The strength of an AI. More levels may be added.")()


_SEATS: Final[dict[str, type[RequestSerializer[Any]]]] = {
    OPEN: OpenSeatRequestSerializer,
    PLAYER: PlayerSeatRequestSerializer,
    AI: AiSeatRequestSerializer,
}


SEAT_UNION: Final = Union(
    "Seat", {ME: MySeatRequestSerializer, **_SEATS}, discriminator="kind", description="Who gets a seat."
)
REFILL: Final = Union(
    "Refill",
    {ME: MySeatNowRequestSerializer, **_SEATS},
    discriminator="kind",
    description="Who gets a seat that is refilled.",
)


class SeatRequestSerializer(RequestSerializer[Any]):
    """A requested seat."""

    @classmethod
    def schema_union(cls) -> Union:
        """Describe the seat as a union of its kinds."""
        return SEAT_UNION

    kind = StrictChoiceField(choices=KINDS)
    username = StringField(max_length=MAX_USERNAME_LENGTH, required=False)
    level = StringField(max_length=16, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require exactly the members of this kind of seat."""
        needed = _REQUIRED_MEMBERS.get(attrs["kind"])
        errors = {
            name: _error_detail("unknown_field") for name in self._extra_members(attrs) if name != needed
        }
        if needed is not None and needed not in attrs:
            errors[needed] = _error_detail("required")
        if errors:
            raise ValidationError(errors)
        return attrs

    def _extra_members(self, attrs: dict[str, Any]) -> set[str]:
        return set(attrs) - {"kind"}


class RefillRequestSerializer(SeatRequestSerializer):
    """A seat to refill. A maker who takes it can give a seed."""

    @classmethod
    def schema_union(cls) -> Union:
        """Describe the seat as a union in which the maker's seat has a seed."""
        return REFILL

    client_seed = _seed()

    def _extra_members(self, attrs: dict[str, Any]) -> set[str]:
        return super()._extra_members(attrs) - ({"client_seed"} if attrs["kind"] == ME else set())


class MatchRequestSerializer(RequestSerializer[Any]):
    """A match to create."""

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
        help_text="Options by name. Those left out have their defaults.",
    )
    players = IntegerField(
        min_value=MIN_PLAYERS,
        max_value=MAX_PLAYERS,
        required=False,
        help_text="Left out: the number of `seats`, else the smallest number that the rule set allows.",
    )
    target_score = IntegerField(
        min_value=1,
        max_value=1000,
        required=False,
        allow_null=True,
        help_text="The match ends when a player reaches this score. Left out: 250, unless `rounds` is given.",
    )
    rounds = IntegerField(
        min_value=1,
        max_value=100,
        required=False,
        allow_null=True,
        help_text="The match ends after this number of rounds. Left out: no limit.",
    )
    seats = serializers.ListField(
        child=SeatRequestSerializer(),
        min_length=MIN_PLAYERS,
        max_length=MAX_PLAYERS,
        required=False,
        help_text="One for each player. Left out: one `me`, the others `open`. All can be AIs.",
    )
    turn_seconds = IntegerField(
        min_value=MIN_TURN_LENGTH,
        max_value=MAX_TURN_LENGTH,
        required=False,
        allow_null=True,
        help_text="The time for each turn; null: no clock. `GET /clocks` lists common settings.",
    )
    time_bank_seconds = IntegerField(
        min_value=0,
        max_value=MAX_TURN_LENGTH,
        required=False,
        help_text="Extra time for each seat, once per match.",
    )
    on_timeout = timeout_action(required=False)
    timeouts_allowed = IntegerField(
        min_value=0,
        max_value=100,
        required=False,
        help_text="The number of consecutive timeouts before `after_timeouts` applies.",
    )
    after_timeouts = lateness_end(required=False)
    vacations = StrictBooleanField(
        required=False, help_text="Whether clocks stop while a player is on vacation."
    )
    pauses = StrictBooleanField(
        required=False, help_text="Whether the match can be paused if all its players agree."
    )
    visibility = match_visibility(required=False)
    rated = StrictBooleanField(
        required=False,
        help_text="Whether the match counts for ratings. It then has to be public, with a clock, without "
        "hints, to 100 points or over 4 rounds at least, and with two players has `after_timeouts: forfeit`. "
        "Only registered people can play in it, or only bots, and no two accounts of one owner.",
    )
    hints = StrictBooleanField(required=False, help_text="Whether players can ask for hints.")
    hold = StrictBooleanField(required=False, help_text="Whether the match waits for its maker to start it.")
    client_seed = _seed()


class JoinRequestSerializer(RequestSerializer[Any]):
    """A seat to take, and the player's seed."""

    seat = IntegerField(
        min_value=0, max_value=MAX_PLAYERS - 1, required=False, help_text="Left out: the first open seat."
    )
    client_seed = _seed()


class SeedRequestSerializer(RequestSerializer[Any]):
    """The player's seed for the deals."""

    client_seed = _seed()


class DeclineRequestSerializer(RequestSerializer[Any]):
    """The reason for declining an invitation."""

    defaults: ClassVar = {"reason": ""}

    reason = StringField(
        max_length=MAX_REASON_LENGTH,
        allow_blank=True,
        required=False,
        help_text="Visible to everybody who can see the match.",
    )


def _error_detail(code: str) -> list[ErrorDetail]:
    return [ErrorDetail(FIELD_CODES[code], code)]


class ListedMatchSerializer(AgreementSerializer):
    """A match in a list, the same for every viewer."""

    status = match_status()
    version = IntegerField(min_value=0)
    open_seats = IntegerField(min_value=0, max_value=3, help_text="The number of seats that anyone can take.")
    round_number = IntegerField(allow_null=True, help_text="Null before the start.")
    to_act = IntegerField(allow_null=True, help_text="The seat whose turn it is.")
    imported_at = DateTimeField(
        allow_null=True, help_text="When the match was imported from a record; null if it was played here."
    )
    anchor = Hexadecimal(
        allow_null=True,
        help_text="Link 0 of the seed chain that every deal derives from. Null if imported without it.",
    )
    created_at = DateTimeField()
    started_at = DateTimeField(allow_null=True)
    finished_at = DateTimeField(allow_null=True)
    expires_at = DateTimeField(allow_null=True, help_text="When the match is cancelled if it is still open.")
    seats = SeatSerializer(many=True)
    result = TableResultSerializer(allow_null=True)
    next_match = StringField(allow_null=True, help_text="The id of the rematch.")


class MyMatchSerializer(ListedMatchSerializer):
    """A match of the caller, with their seat, turn and deadline."""

    my_seat = IntegerField(allow_null=True, help_text="The number of your seat.")
    my_turn = StrictBooleanField()
    deadline = DateTimeField(allow_null=True, help_text="When the time of the seat to act runs out.")
    seconds_left = IntegerField(allow_null=True, help_text="Seconds until the deadline.")
    table = TableSerializer(
        required=False, help_text="With `include=table`: the table, as `readMatch` gives it."
    )
    legal_moves = LegalMovesSerializer(
        required=False,
        allow_null=True,
        help_text="With `include=legal_moves`: your legal moves; null if it is not your turn.",
    )


class InvitationSerializer(ListedMatchSerializer):
    """A match that the caller is invited to."""

    my_seat = IntegerField(allow_null=True, help_text="The number of the seat that is reserved for you.")
