"""Define what a player may do at the table: play, pass, bet, or award a bombed trick."""

from dataclasses import dataclass

from engine.cards.card import Card
from engine.combinations.ambiguity import UNNAMED, Named


@dataclass(frozen=True, slots=True)
class Play:
    """Play these cards as the named combination or, if unnamed, as the only one that fits."""

    cards: tuple[Card, ...]
    named: Named = UNNAMED


@dataclass(frozen=True, slots=True)
class Pass:
    """Let the current play stand for now."""


@dataclass(frozen=True, slots=True)
class Bet:
    """Bet this many points; 0 declares no bet."""

    amount: int


@dataclass(frozen=True, slots=True)
class Award:
    """Award a trick won by one's own bomb to this opponent."""

    to: int


Action = Play | Pass | Bet | Award
