"""Draw a random legal play without listing all: playouts do this hundreds of thousands of times a second.

When following, every legal action is equally likely, including a pass. When leading, every legal play can be
drawn, but with unequal probability: a place is drawn first (a rank, a suit, two ranks of a stair), then a
play in it. Draw from `leads` if all leads must be equally likely.
"""

from random import Random
from typing import Final

from engine.cards.card import KING
from engine.cards.hand import CARD_BIT, FACES, FACES_AT, HAND_BITS, RANK_MASK
from engine.combinations.bombs import bombs_in
from engine.combinations.kinds import FIRST_BOMB, KIND, LAST_OF_SHAPE, TOP, WIDTH, Kind
from engine.combinations.plays import COMBINATION_AT, NO_PLAY, between
from engine.combinations.rules import CombinationRules, up_to_ten
from engine.combinations.runs import runs_in
from engine.combinations.sets import SINGLE_FACES, sets_at, sets_of_width_at
from engine.combinations.stairs import (
    FEWEST_IN_LONG_STAIR,
    PLACES_OF_LONG_STAIRS,
    long_stairs_at,
    stairs_above,
    stairs_between,
)

Plays = tuple[int, ...]

# The places to search for a lead, in a circle: nine ranks, nine windows of two ranks, the suits, and face
# cards with bombs. Long stairs are rare and slow to search for: they are one more place, outside the circle.
_RANKS: Final = 9
_WINDOWS: Final = 9


def random_lead(hand: int, rules: CombinationRules, rng: Random) -> int:
    """Return a random play to lead from a hand that is not empty."""
    suits = rules.suits
    places = _RANKS + _WINDOWS + suits + 1
    place = int(rng.random() * (places + 1))
    if place == places:
        stairs = _some_long_stairs(hand, suits, rng)
        if not rules.above_ten:
            stairs = up_to_ten(stairs)
        if stairs:
            return stairs[int(rng.random() * len(stairs))]
        place = 0
    while True:
        plays = _plays_at(place, hand, suits)
        if not rules.above_ten:
            plays = tuple(up_to_ten(plays))
        if plays:
            return plays[int(rng.random() * len(plays))]
        place = place + 1 if place + 1 < places else 0


def _some_long_stairs(hand: int, suits: int, rng: Random) -> list[int]:
    """Return stairs of three ranks or more if the hand has enough cards for one."""
    if hand.bit_count() < FEWEST_IN_LONG_STAIR:
        return []
    return long_stairs_at(int(rng.random() * PLACES_OF_LONG_STAIRS[suits]), hand, suits)


def _plays_at(place: int, hand: int, suits: int) -> Plays:
    if place < _RANKS:
        return sets_at(place + 2, hand)
    if place < _RANKS + _WINDOWS:
        return stairs_between(place - _RANKS, hand, suits)
    if place < _RANKS + _WINDOWS + suits:
        return runs_in(place - _RANKS - _WINDOWS, hand)
    return SINGLE_FACES[hand >> FACES_AT] + bombs_in(hand)


def random_follow(hand: int, current: int, rules: CombinationRules, rng: Random) -> int:
    """Return a random play that beats the play `current`, or a pass (0), all equally likely."""
    number = current >> COMBINATION_AT
    bombs = bombs_in(hand)
    if number >= FIRST_BOMB:
        return _draw([tuple([bomb for bomb in bombs if bomb >> COMBINATION_AT > number])], rng)
    if number <= LAST_SINGLE:
        return _draw_single(hand & CARDS_ABOVE[number + 1], bombs, rng)
    found: list[Plays] = [bombs]
    kind, suits = KIND[number], rules.suits
    if kind is Kind.SET:
        width = WIDTH[number]
        found.extend([sets_of_width_at(width, rank, hand) for rank in range(TOP[number] + 1, 11)])
    elif kind is Kind.RUN:
        last = LAST_OF_SHAPE[number]
        found.extend([between(number + 1, last, runs_in(suit, hand)) for suit in range(suits)])
    else:
        found.append(tuple(stairs_above(number, hand, suits)))
    if not rules.above_ten:
        found = [tuple(up_to_ten(plays)) for plays in found]
    return _draw(found, rng)


def _draw(found: list[Plays], rng: Random) -> int:
    """Return one of the plays found or a pass (0), all equally likely."""
    count = 1
    for plays in found:
        count += len(plays)
    if count == 1:
        return NO_PLAY
    drawn = int(rng.random() * count)
    for plays in found:
        if drawn < len(plays):
            return plays[drawn]
        drawn -= len(plays)
    return NO_PLAY


# A single of rank r is combination number r - 1. CARDS_ABOVE[rank]: the cards of a hand with a higher rank.
LAST_SINGLE: Final = KING - 1
CARDS_ABOVE: Final = tuple(
    sum(RANK_MASK[rank + 1 :]) | FACES << max(0, rank - 10) & HAND_BITS for rank in range(KING + 1)
)
_SINGLE_OF: Final = (0, *(card.rank - 1 << COMBINATION_AT for card in CARD_BIT))


def _draw_single(cards: int, bombs: Plays, rng: Random) -> int:
    """Return one of these cards as a single, one of the bombs, or a pass (0), all equally likely."""
    singles = cards.bit_count()
    drawn = int(rng.random() * (singles + len(bombs) + 1))
    if drawn < singles:
        for _ in range(drawn):
            cards &= cards - 1
        card = cards & -cards
        return _SINGLE_OF[card.bit_length()] | card
    drawn -= singles
    return bombs[drawn] if drawn < len(bombs) else NO_PLAY
