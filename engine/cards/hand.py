"""Represent sets of cards as bits of an int, so that comparing, joining and counting them is fast.

A **hand** has 48 bits: nine bits for the ranks 2 to T of each suit, then the owner's J, Q and K on top. A
**pile** holds cards of several players and has 54 bits: the suit cards as in a hand, then J, Q, K of seat 0,
of seat 1 and of seat 2.

>>> sevens = mask_of(parse_cards("7r 7g J"))
>>> [str(card) for card in cards_of(sevens)], cards_of(pile_of(sevens, seat=2))[-1]
(['7r', '7g', 'J'], Card('J'))
"""

from collections.abc import Iterable
from typing import Final

from engine.cards.card import FACE_CARDS, RANKS, SUIT_CARDS, Card, parse_cards
from engine.cards.deck import SUITS_FOR
from engine.errors import Malformed

__all__ = ["cards_of", "mask_of", "parse_cards", "pile_of"]

FACES_AT: Final = 45
SUIT_CARD_BITS: Final = (1 << FACES_AT) - 1
FACES: Final = 7 << FACES_AT
HAND_BITS: Final = SUIT_CARD_BITS | FACES

COLUMN: Final = 0b111111111
SUIT_MASK: Final = tuple(COLUMN << 9 * suit for suit in range(5))
RANK_MASK: Final = (0, 0, *(sum(1 << 9 * suit + rank - 2 for suit in range(5)) for rank in RANKS))

_EACH_SEAT: Final = sum(1 << FACES_AT + 3 * seat for seat in range(3))
ALL_JACKS: Final = _EACH_SEAT
ALL_QUEENS: Final = _EACH_SEAT << 1
ALL_KINGS: Final = _EACH_SEAT << 2

CARD_BIT: Final = {card: 1 << index for index, card in enumerate(SUIT_CARDS + FACE_CARDS)}
_CARD_AT: Final = SUIT_CARDS + FACE_CARDS * 3


def mask_of(cards: Iterable[Card]) -> int:
    """Return the hand that holds exactly these cards; raise `Malformed` if a card is repeated."""
    mask = 0
    for card in cards:
        bit = CARD_BIT[card]
        if mask & bit:
            raise Malformed("card_twice", "The card {card} is named twice.", card=card)
        mask |= bit
    return mask


def cards_of(mask: int) -> tuple[Card, ...]:
    """Return the cards of a hand or pile in deck order, face cards last."""
    cards = []
    while mask:
        lowest = mask & -mask
        cards.append(_CARD_AT[lowest.bit_length() - 1])
        mask ^= lowest
    return tuple(cards)


def pile_of(hand: int, seat: int) -> int:
    """Return the same cards as a pile, in which J, Q and K show which seat owned them."""
    return (hand & SUIT_CARD_BITS) | (hand >> FACES_AT << FACES_AT + 3 * seat)


def deck_mask(players: int) -> int:
    """Return all suit cards in play."""
    return (1 << 9 * SUITS_FOR[players]) - 1
