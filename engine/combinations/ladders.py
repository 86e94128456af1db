"""Read ladders: consecutive ranks, each in the same suits, with gaps filled by face cards (runs and stairs).

A run is a ladder of width 1, a stair one of width 2 or more. Ranks above ten (J, Q, K) can be filled by face
cards only: by the card of that rank or by a higher one. Whether some face cards can fill a ladder depends
only on how many there are. Proof: ranks 2 to 10 take any face card, and so does J; Q takes Q or K, and two of
J, Q, K always include one of these; K requires all three. So "stands for any lower rank" and "stands for any
rank" allow the same plays.
"""

from typing import Final

from engine.cards.card import KING
from engine.cards.hand import COLUMN, FACES_AT, SUIT_CARD_BITS, SUIT_MASK
from engine.combinations.kinds import Kind, number_of

HIGHEST_SUIT_RANK: Final = 10

# LADDER_NUMBER[width][length][top]: the number of the run or stair, 0 if it does not exist.
LADDER_NUMBER: Final = tuple(
    tuple(
        tuple(
            number_of(Kind.RUN if width == 1 else Kind.STAIR, top, width, length) for top in range(KING + 1)
        )
        for length in range(18)
    )
    for width in range(6)
)


def ladders_of(cards: int, width: int, suits: int) -> tuple[int, ...]:
    """Return the ladders of this width that these cards form, as combination numbers, lowest top first.

    `suits` is the number of suits in the deck, which limits the width of a ladder.
    """
    suit_cards = cards & SUIT_CARD_BITS
    count = cards.bit_count()
    if not suit_cards or count % width or width > suits or suit_count(suit_cards) > width:
        return ()
    faces = (cards >> FACES_AT).bit_count()
    length = count // width
    ranks = ranks_in(suit_cards)
    lowest, highest = ranks_between(ranks)
    return tuple(
        LADDER_NUMBER[width][length][top]
        for top in range(highest, min(lowest + length - 1, KING) + 1)
        if LADDER_NUMBER[width][length][top] and width * max(0, top - HIGHEST_SUIT_RANK) <= faces
    )


def suit_count(suit_cards: int) -> int:
    """Return the number of suits among these cards."""
    return sum(1 for mask in SUIT_MASK if suit_cards & mask)


def ranks_in(suit_cards: int) -> int:
    """Return the ranks of these cards as nine bits, rank 2 lowest."""
    ranks = 0
    while suit_cards:
        ranks |= suit_cards & COLUMN
        suit_cards >>= 9
    return ranks


def ranks_between(ranks: int) -> tuple[int, int]:
    """Return the lowest and the highest of some ranks given as nine bits."""
    return (ranks & -ranks).bit_length() + 1, ranks.bit_length() + 1
