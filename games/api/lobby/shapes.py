"""The bodies of the lobby."""

from typing import Any, Final

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from games.api.shapes import Flag, OneOf, Shape, Text, Whole
from games.errors import FIELD_CODES
from games.models import AfterTimeouts, OnTimeout, Visibility
from games.models.player import LONGEST_USERNAME
from games.services.lobby.wanted import AI, KINDS, ME, PLAYER

LONGEST_SEED: Final = 64
LONGEST_REASON: Final = 200
SHORTEST_TURN: Final = 10
LONGEST_TURN: Final = 30 * 24 * 3600
FEWEST, MOST = 2, 3

# What a seat must say besides its kind.
_BESIDES: Final = {PLAYER: "username", AI: "level"}


def _seed() -> Text:
    return Text(max_length=LONGEST_SEED, allow_blank=True, required=False)


class SeatShape(Shape):
    """A seat: whose it is to be."""

    kind = OneOf(choices=KINDS)
    username = Text(max_length=LONGEST_USERNAME, required=False)
    level = Text(max_length=16, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Want exactly what goes with the kind."""
        needed = _BESIDES.get(attrs["kind"])
        faults = {name: _said("unknown_field") for name in self._others(attrs) if name != needed}
        if needed is not None and needed not in attrs:
            faults[needed] = _said("required")
        if faults:
            raise ValidationError(faults)
        return attrs

    def _others(self, attrs: dict[str, Any]) -> set[str]:
        return set(attrs) - {"kind"}


class RefillShape(SeatShape):
    """A seat filled otherwise; the maker who takes it may give a seed."""

    client_seed = _seed()

    def _others(self, attrs: dict[str, Any]) -> set[str]:
        return super()._others(attrs) - ({"client_seed"} if attrs["kind"] == ME else set())


class MatchShape(Shape):
    """A match as it is asked for."""

    ruleset = Text(max_length=32)
    options = serializers.DictField(child=Text(max_length=32), required=False)
    players = Whole(min_value=FEWEST, max_value=MOST, required=False)
    target_score = Whole(min_value=1, max_value=1000, required=False, allow_null=True)
    rounds = Whole(min_value=1, max_value=100, required=False, allow_null=True)
    seats = serializers.ListField(child=SeatShape(), min_length=FEWEST, max_length=MOST, required=False)
    turn_seconds = Whole(min_value=SHORTEST_TURN, max_value=LONGEST_TURN, required=False, allow_null=True)
    time_bank_seconds = Whole(min_value=0, max_value=LONGEST_TURN, required=False)
    on_timeout = OneOf(choices=OnTimeout.values, required=False)
    timeouts_allowed = Whole(min_value=0, max_value=100, required=False)
    after_timeouts = OneOf(choices=AfterTimeouts.values, required=False)
    vacations = Flag(required=False)
    visibility = OneOf(choices=Visibility.values, required=False)
    rated = Flag(required=False)
    hints = Flag(required=False)
    hold = Flag(required=False)
    client_seed = _seed()


class JoinShape(Shape):
    """Sitting down."""

    seat = Whole(min_value=0, max_value=MOST - 1, required=False)
    client_seed = _seed()


class SeedShape(Shape):
    """One's share in the deals."""

    client_seed = _seed()


class DeclineShape(Shape):
    """Turning an invitation down."""

    reason = Text(max_length=LONGEST_REASON, allow_blank=True, required=False)


def _said(code: str) -> list[ErrorDetail]:
    return [ErrorDetail(FIELD_CODES[code], code)]
