"""The record of a match as a value: what was agreed, every deal, every action, every score, and how it ended.

A record may say anything that can be read; whether it is true is found out by `engine.records.replay`.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.cards.card import Card
from engine.rounds.actions import Action
from engine.scoring.sheet import SeatScore

FORMAT: Final = "haggis-record/1"

# A chain has no more links, so a match has no more rounds. No round comes near so many actions: each play
# takes a card at least, and is followed by two passes at most.
MOST_ROUNDS: Final = 512
MOST_ACTIONS: Final = 1000


class By(StrEnum):
    """Who acted for a seat."""

    PLAYER = "player"
    CLOCK = "clock"
    AI = "ai"
    CARETAKER = "caretaker"


class Ending(StrEnum):
    """Why a match ended: it was played out, or it was broken off."""

    TARGET = "target"
    ROUNDS = "rounds"
    RESIGNED = "resigned"
    FORFEIT = "forfeit"
    ANNULLED = "annulled"

    @property
    def is_played_out(self) -> bool:
        """Whether the points decided, and not somebody's leaving."""
        return self in {Ending.TARGET, Ending.ROUNDS}


@dataclass(frozen=True, slots=True)
class RecordedAction:
    """One action of a seat. Who acted for it and when are None where nobody noted it."""

    seat: int
    action: Action
    by: By | None = None
    at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRound:
    """One round. `hands` are whole, J Q K included; hands and haggis stand in the order they were written in.

    One that was cut short has no scores. `dealer` is None where the rule set has none, `link` where the deal
    cannot be checked.
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
    """A whole match, or what there is of it. None is what the record does not say.

    `seats` are the players' names as the table showed them, seat 0 first. `options` are those that were
    written, perhaps not all of the rule set. `anchor` and the links are hexadecimal.
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
