"""Split a hand into the groups in which it could be led: the first thing a player sees in fresh cards.

Wild cards and bombs are left out. The largest play is taken first (the lowest if several are equal), then the
largest of the remaining cards, and so on. This is fast and seldom far from the minimum number of plays. A
hand with fewer groups is better.

>>> from engine.cards.hand import mask_of, parse_cards
>>> from engine.combinations.kinds import combination_of
>>> from engine.combinations.plays import number_in
>>> hand = mask_of(parse_cards("4r 5r 6r 6g 9o 9y K"))
>>> from engine.combinations.rules import FOUR_SUITS
>>> [str(combination_of(number_in(play))) for play in groups(hand, FOUR_SUITS)]
['run of three, four to six', 'pair of nines', 'single six']
"""

from engine.cards.hand import FACES
from engine.combinations.kinds import FIRST_BOMB, TOP
from engine.combinations.plays import COMBINATION_AT, cards_in
from engine.combinations.rules import CombinationRules
from engine.plays.leading import leads


def groups(hand: int, rules: CombinationRules) -> list[int]:
    """Return plays, largest first, that together contain every suit card of the hand exactly once."""
    left = hand & ~FACES
    found = []
    for play in sorted(leads(left, rules), key=largest_and_lowest_first):
        cards = cards_in(play)
        if cards & left == cards and not is_bomb(play):
            found.append(play)
            left ^= cards
    return found


def size(play: int) -> int:
    """Return the number of cards in a play."""
    return cards_in(play).bit_count()


def faces_in(play: int) -> int:
    """Return the number of face cards in a play."""
    return (play & FACES).bit_count()


def top(play: int) -> int:
    """Return the highest rank of a play, or the level of a bomb."""
    return TOP[play >> COMBINATION_AT]


def is_bomb(play: int) -> bool:
    """Return whether a play is a bomb."""
    return play >> COMBINATION_AT >= FIRST_BOMB


def largest_and_lowest_first(play: int) -> tuple[int, int, int]:
    """Return the sort key by which groups are taken."""
    return -size(play), top(play), play
