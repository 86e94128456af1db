"""Define the deck: four suits for two players, five suits for three, and J, Q and K for each player."""

from typing import Final

from engine.cards.card import SUIT_CARDS, Card, Suit
from engine.errors import Malformed

DEALT_CARDS: Final = 14
HAND_CARDS: Final = DEALT_CARDS + 3
SUITS_FOR: Final = {2: 4, 3: 5}
_SUITS: Final = tuple(Suit)


def suits_for(players: int) -> tuple[Suit, ...]:
    """Return the suits in play.

    >>> "".join(suit.code for suit in suits_for(2))
    'royg'
    """
    try:
        return _SUITS[: SUITS_FOR[players]]
    except KeyError:
        raise Malformed("invalid_players", "Haggis is for two or three players.", where="players") from None


def deck_for(players: int) -> tuple[Card, ...]:
    """Return the suit cards in the order a deal starts from: by suit, then by rank."""
    return SUIT_CARDS[: 9 * len(suits_for(players))]


def haggis_size(players: int) -> int:
    """Return the number of undealt cards: 8 with two players, 3 with three."""
    return len(deck_for(players)) - DEALT_CARDS * players
