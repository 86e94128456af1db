"""Estimate how likely an opponent can beat each combination, from a seat that does not know the hidden hand.

Each unseen suit card is assumed to be in the opponent's hand with equal probability, and the expected number
of plays that beat a combination is summed over the higher tops of its shape. This includes impossible hands
and ignores rare wild cards; it is a feature for the network, not a probability. The opponent's J, Q and K are
known.
"""

from math import comb
from typing import Final

from engine.ai.network.arrays import Floats, Ints, np
from engine.cards.hand import COLUMN
from engine.combinations.beating import beats
from engine.combinations.kinds import COMBINATIONS, FIRST_BOMB, Combination, Kind

NUMBERS: Final = len(COMBINATIONS) + 1
_SETS: Final = [each for each in COMBINATIONS if each.kind is Kind.SET and each.top <= 10]
_LADDERS: Final = [
    each
    for each in COMBINATIONS
    if each.kind in {Kind.RUN, Kind.STAIR} and each.top <= 10 and each.length <= 8
]
_PLACES: Final = sorted({(each.top - each.length + 1, each.length) for each in _LADDERS})


def _ladder_place(each: Combination) -> int:
    return _PLACES.index((each.top - each.length + 1, each.length))


_SET_NUMBER: Final = np.array([each.number for each in _SETS])
_SET_RANK: Final = np.array([each.top - 2 for each in _SETS])
_SET_WIDTH: Final = np.array([each.width for each in _SETS])
_LADDER_NUMBER: Final = np.array([each.number for each in _LADDERS])
_LADDER_PLACE: Final = np.array([_ladder_place(each) for each in _LADDERS])
_LADDER_WIDTH: Final = np.array([each.width for each in _LADDERS])
_LADDER_SIZE: Final = np.array([each.width * each.length for each in _LADDERS])
_WAYS: Final = np.array([[comb(n, k) for k in range(10)] for n in range(6)], dtype=np.float32)
_LENGTHS: Final = np.array([length for _, length in _PLACES])

# For each column: how many of its cards are in each place of a ladder.
_IN_PLACE: Final = np.array(
    [
        [(column >> low - 2 & (1 << length) - 1).bit_count() for low, length in _PLACES]
        for column in range(COLUMN + 1)
    ],
    dtype=np.int8,
)
# HIGHER[m, n]: combination m has the shape of n and beats it.
_HIGHER: Final = np.array(
    [[n < m < FIRST_BOMB and n > 0 and beats(m, n) for n in range(NUMBERS)] for m in range(NUMBERS)],
    dtype=np.float32,
)
_SINGLE_FACE: Final = np.array(
    [
        [
            each.width == 1 and each.length == 1 and each.kind is Kind.SET and each.top == 11 + face
            for each in COMBINATIONS
        ]
        for face in range(3)
    ],
    dtype=np.float32,
)


def chances(unseen: Ints, hand_chance: Floats, suits: int) -> tuple[Floats, Floats]:
    """Return, by position and combination number, the chance of being beaten without and with one wild card.

    `hand_chance` is the probability of each unseen suit card to be in the opponent's hand.
    """
    columns = np.stack([unseen >> 9 * suit & COLUMN for suit in range(suits)], axis=1)
    ranks = np.stack([(columns >> rank & 1).sum(axis=1) for rank in range(9)], axis=1)
    in_place = _IN_PLACE[columns]
    whole = (in_place == _LENGTHS).sum(axis=1)
    one_short = (in_place == _LENGTHS - 1).sum(axis=1)
    powers = hand_chance[:, None] ** np.arange(32, dtype=np.float32)
    natural = np.zeros((len(unseen), NUMBERS), dtype=np.float32)
    helped = np.zeros_like(natural)
    count = ranks[:, _SET_RANK]
    natural[:, _SET_NUMBER] = _WAYS[count, _SET_WIDTH] * powers[:, _SET_WIDTH]
    helped[:, _SET_NUMBER] = np.where(
        _SET_WIDTH > 1, _WAYS[count, _SET_WIDTH - 1] * powers[:, _SET_WIDTH - 1], 0
    )
    whole, one_short = whole[:, _LADDER_PLACE], one_short[:, _LADDER_PLACE]
    natural[:, _LADDER_NUMBER] = _WAYS[whole, _LADDER_WIDTH] * powers[:, _LADDER_SIZE]
    helped[:, _LADDER_NUMBER] = one_short * _WAYS[whole, _LADDER_WIDTH - 1] * powers[:, _LADDER_SIZE - 1]
    return 1 - np.exp(-(natural @ _HIGHER)), 1 - np.exp(-(helped @ _HIGHER))
