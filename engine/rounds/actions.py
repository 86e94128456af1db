"""What a player may do at the table: play, pass, bet, or award a bombed trick."""

from dataclasses import dataclass

from engine.cards.card import Card
from engine.combinations.ambiguity import UNNAMED, Named


@dataclass(frozen=True, slots=True)
class Play:
    """Play these cards, as the combination named or, unnamed, as the one they can only be."""

    cards: tuple[Card, ...]
    named: Named = UNNAMED


@dataclass(frozen=True, slots=True)
class Pass:
    """Let the current play stand for now."""


@dataclass(frozen=True, slots=True)
class Bet:
    """Bet so many points, or declare with 0 not to bet."""

    amount: int


@dataclass(frozen=True, slots=True)
class Award:
    """Give the trick that one's bomb won to this opponent."""

    to: int


Action = Play | Pass | Bet | Award
