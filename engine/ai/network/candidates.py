"""Select the plays worth evaluating: of plays with the same combination, those with the fewest wild cards.

A fresh hand has about 900 plays to lead, most of them with wild cards that another play does not need.
"""

from typing import Final

from engine.ai.network.arrays import Bools, Ints, np
from engine.ai.network.beating import NUMBERS
from engine.cards.hand import FACES, HAND_BITS
from engine.combinations.kinds import FIRST_BOMB
from engine.combinations.plays import COMBINATION_AT

# With this many cards or fewer, every play is evaluated.
SMALL_HAND: Final = 6
_SEVERAL_WILDS: Final = 2


def worth_evaluating(plays: Ints, at: Ints, hands: Ints) -> Bools:
    """Return whether each play is worth evaluating; `at` is the index of its situation in `hands`."""
    number = plays >> COMBINATION_AT
    wilds = np.bitwise_count(plays & FACES)
    key = at * NUMBERS + number
    fewest = np.full(len(hands) * NUMBERS, 9, dtype=wilds.dtype)
    np.minimum.at(fewest, key, wilds)
    hand = hands[at]
    small = np.bitwise_count(hand) <= SMALL_HAND
    goes_out = plays & HAND_BITS == hand
    found: Bools = (wilds == fewest[key]) | goes_out | (number >= FIRST_BOMB) | small
    return found


def worth_evaluating_in_search(plays: Ints, at: Ints, hands: Ints) -> Bools:
    """Return the same for searches of thousands of decisions, also without plays of several wild cards."""
    found: Bools = worth_evaluating(plays, at, hands) & ~costs_several_wilds(plays, hands[at])
    return found


def costs_several_wilds(plays: Ints, hands: Ints) -> Bools:
    """Return whether each play takes several wild cards from a large hand, without bombs and whole hands.

    Half of all possible leads are like this, but only one in fifty of those that the AI makes.
    """
    several = np.bitwise_count(plays & FACES) >= _SEVERAL_WILDS
    large = np.bitwise_count(hands) > SMALL_HAND
    ordinary = (plays >> COMBINATION_AT < FIRST_BOMB) & (plays & HAND_BITS != hands)
    found: Bools = several & large & ordinary
    return found
