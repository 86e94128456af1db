"""Define the events that an action causes in a round."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Out:
    """A player has played their last card."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickEnd:
    """A trick has ended and been captured."""

    winner: int
    captured_by: int


RoundEvent = Out | TrickEnd
