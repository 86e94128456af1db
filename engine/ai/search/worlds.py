"""Sample worlds: possible hands of the others, as far as a seat can know.

The unseen suit cards are dealt to the others at random, as many to each as it has; the rest is the haggis.
Face cards are known.
"""

from dataclasses import dataclass
from random import Random

from engine.cards.hand import FACES_AT, SUIT_CARD_BITS, deck_mask
from engine.views.round_view import RoundView


@dataclass(frozen=True, slots=True)
class World:
    """Every hand, and the haggis."""

    hands: tuple[int, ...]
    haggis: int


def unseen_cards(view: RoundView, hand: int) -> list[int]:
    """Return the suit cards that the seat has not seen, each as a mask."""
    seen = hand | view.pile
    for captured in view.captured:
        seen |= captured
    left = deck_mask(view.rules.players) & ~seen & SUIT_CARD_BITS
    return [1 << place for place in range(left.bit_length()) if left >> place & 1]


def sample_world(view: RoundView, hand: int, unseen: list[int], rng: Random) -> World:
    """Return one world, all being equally likely."""
    cards = rng.sample(unseen, len(unseen))
    hands = []
    at = 0
    for seat, (count, faces) in enumerate(zip(view.counts, view.faces, strict=True)):
        if seat == view.seat:
            hands.append(hand)
            continue
        needed = count - faces.bit_count()
        hands.append(faces << FACES_AT | sum(cards[at : at + needed]))
        at += needed
    return World(tuple(hands), sum(cards[at:]))
