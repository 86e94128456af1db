"""Find sets: one or more cards of one rank, including wild cards. A single is a set of one.

A face card alone is a single of its own rank. A larger set includes a suit card, so its rank is 2 to 10.
"""

from typing import Final

from engine.cards.card import KING
from engine.cards.hand import FACES, FACES_AT, RANK_MASK, SUIT_CARD_BITS
from engine.combinations.kinds import Kind, number_of
from engine.combinations.memo import MemoTable, new_table, store
from engine.combinations.plays import COMBINATION_AT, FACE_CHOICES, play_of

WIDEST_SET: Final = 8

SET_NUMBER: Final = tuple(
    tuple(number_of(Kind.SET, rank, width, 1) for rank in range(KING + 1)) for width in range(WIDEST_SET + 1)
)

# SINGLE_FACES[faces in hand]: each face card as a single of its own rank.
SINGLE_FACES: Final = tuple(
    tuple(play_of(SET_NUMBER[1][11 + face], 1 << FACES_AT + face) for face in range(3) if owned >> face & 1)
    for owned in range(8)
)


def sets_of(cards: int) -> tuple[int, ...]:
    """Return the set that these cards form, as combination numbers: one or none.

    >>> from engine.cards.hand import mask_of, parse_cards
    >>> from engine.combinations.kinds import combination_of
    >>> [str(combination_of(number)) for number in sets_of(mask_of(parse_cards("Tr Tg J")))]
    ['three tens']
    """
    suit_cards = cards & SUIT_CARD_BITS
    if not suit_cards:
        return tuple(
            single >> COMBINATION_AT for single in SINGLE_FACES[cards >> FACES_AT] if cards.bit_count() == 1
        )
    rank = ((suit_cards & -suit_cards).bit_length() - 1) % 9 + 2
    return () if suit_cards & ~RANK_MASK[rank] else (SET_NUMBER[cards.bit_count()][rank],)


_BY_RANK: Final[list[MemoTable]] = [new_table() for _ in range(11)]
_BY_RANK_AND_WIDTH: Final[list[list[MemoTable]]] = [
    [new_table() for _ in range(11)] for _ in range(WIDEST_SET + 1)
]


def sets_at(rank: int, hand: int) -> tuple[int, ...]:
    """Return every set of this suit-card rank in the hand, with and without wild cards."""
    key = hand & (RANK_MASK[rank] | FACES)
    table = _BY_RANK[rank]
    cached = table.get(key)
    if cached is not None:
        return cached
    return store(table, key, _make_sets(rank, key))


def sets_of_width_at(width: int, rank: int, hand: int) -> tuple[int, ...]:
    """Return every set of this suit-card rank with this many cards in the hand."""
    key = hand & (RANK_MASK[rank] | FACES)
    table = _BY_RANK_AND_WIDTH[width][rank]
    cached = table.get(key)
    if cached is not None:
        return cached
    number = SET_NUMBER[width][rank]
    sets = tuple([play for play in sets_at(rank, hand) if play >> COMBINATION_AT == number])
    return store(table, key, sets, shared=True)


def _make_sets(rank: int, key: int) -> tuple[int, ...]:
    suit_cards = key & SUIT_CARD_BITS
    choices = FACE_CHOICES[key >> FACES_AT]
    sets: list[int] = []
    part = suit_cards
    while part:
        own = part.bit_count()
        for wilds in range(4):
            faces = choices[wilds]
            if faces:
                play = SET_NUMBER[own + wilds][rank] << COMBINATION_AT | part
                sets.extend([play | face for face in faces])
        part = (part - 1) & suit_cards
    return tuple(sets)
