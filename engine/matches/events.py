"""What an action brings about in a match, besides what happens in the round."""

from dataclasses import dataclass, field

from engine.matches.state import Result
from engine.rounds.events import Happening
from engine.scoring.sheet import SeatScore


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnd:
    """A round is over: its score sheet, the new totals, and the hands and the haggis for all to see."""

    number: int
    scores: tuple[SeatScore, ...]
    totals: tuple[int, ...]
    out: tuple[int, ...]
    hands: tuple[int, ...] = field(repr=False)
    haggis: int = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """The next round is dealt. The cards are not here: each player sees the own ones at the table."""

    number: int
    dealer: int | None
    leader: int


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """The match is won."""

    result: Result


MatchHappening = Happening | RoundEnd | Dealt | MatchEnd
