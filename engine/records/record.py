"""Represent the record of a match: what was agreed, every deal, action and score, and how it ended.

A record may contain anything that can be read; `engine.records.replay` checks whether it is valid.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.cards.card import Card
from engine.rounds.actions import Action
from engine.scoring.sheet import SeatScore

FORMAT: Final = "haggis-record/1"

# A chain has no more links, so a match has no more rounds. No round has nearly this many actions: each play
# takes at least one card and is followed by at most two passes.
MOST_ROUNDS: Final = 512
MOST_ACTIONS: Final = 1000


class By(StrEnum):
    """Who acted for a seat."""

    PLAYER = "player"
    CLOCK = "clock"
    AI = "ai"
    CARETAKER = "caretaker"


class Ending(StrEnum):
    """Why a match ended: it was played to its end or broken off."""

    TARGET = "target"
    ROUNDS = "rounds"
    RESIGNED = "resigned"
    FORFEIT = "forfeit"
    ANNULLED = "annulled"

    @property
    def is_played_out(self) -> bool:
        """Whether points decided the match, rather than somebody leaving."""
        return self in {Ending.TARGET, Ending.ROUNDS}


@dataclass(frozen=True, slots=True)
class RecordedAction:
    """One action of a seat; `by` (who acted) and `at` (when) are None if not recorded."""

    seat: int
    action: Action
    by: By | None = None
    at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRound:
    """One round; hands and haggis are in the order in which they were written.

    `hands` are full hands, including J, Q and K. A round that was cut short has no scores. `dealer` is None
    if the rule set has none, `link` is None if the deal cannot be checked.
    """

    number: int
    dealer: int | None
    leader: int
    link: str | None
    hands: tuple[tuple[Card, ...], ...]
    haggis: tuple[Card, ...]
    actions: tuple[RecordedAction, ...]
    out: tuple[int, ...]
    scores: tuple[SeatScore, ...] | None
    totals: tuple[int, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedResult:
    """How the match ended."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    reason: Ending


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A match, complete or partial; None stands for unknown values.

    `seats` are the players' names as shown at the table, seat 0 first. `options` are the recorded ones,
    perhaps not all options of the rule set. `anchor` and the links are hexadecimal.
    """

    match: str | None
    deal_id: str | None
    ruleset: str
    ruleset_version: str | None
    options: tuple[tuple[str, str], ...]
    players: int
    target_score: int | None
    rounds_limit: int | None
    seats: tuple[str, ...]
    anchor: str | None
    client_seeds: tuple[str, ...] | None
    rounds: tuple[RecordedRound, ...]
    result: RecordedResult | None
