"""Define the events that an action causes in a match, beyond those of the round."""

from dataclasses import dataclass, field

from engine.matches.state import Result
from engine.rounds.events import RoundEvent
from engine.scoring.sheet import SeatScore


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnd:
    """A round is over; its scores, the new totals, the hands and the haggis are revealed to everybody."""

    number: int
    scores: tuple[SeatScore, ...]
    totals: tuple[int, ...]
    out: tuple[int, ...]
    hands: tuple[int, ...] = field(repr=False)
    haggis: int = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """The next round has been dealt; each player sees their own cards in their view, not here."""

    number: int
    dealer: int | None
    leader: int


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """The match has been won."""

    result: Result


MatchEvent = RoundEvent | RoundEnd | Dealt | MatchEnd
