"""Find bombs: 3-5-7-9 in one suit or in four different suits, or two or three face cards and no suit card.

No wild card stands for a 3, 5, 7 or 9 of a bomb. Levels from low to high: 3-5-7-9 in four suits, J-Q, J-K,
Q-K, J-Q-K, 3-5-7-9 in one suit.
"""

from itertools import combinations, permutations, product
from typing import Final

from engine.cards.hand import FACES_AT, RANK_MASK, SUIT_CARD_BITS, SUIT_MASK
from engine.combinations.kinds import FIRST_BOMB
from engine.combinations.memo import MemoTable, new_table, store
from engine.combinations.plays import COMBINATION_AT, play_of

FOUR_SUITS: Final = FIRST_BOMB
ONE_SUIT: Final = FIRST_BOMB + 5

POINT_RANKS: Final = (3, 5, 7, 9)
_POINT_CARDS: Final = RANK_MASK[3] | RANK_MASK[5] | RANK_MASK[7] | RANK_MASK[9]

# 0b011 J-Q, 0b101 J-K, 0b110 Q-K, 0b111 J-Q-K: the level follows this order.
_FACE_BOMB_NUMBER: Final = {
    0b011: FIRST_BOMB + 1,
    0b101: FIRST_BOMB + 2,
    0b110: FIRST_BOMB + 3,
    0b111: FIRST_BOMB + 4,
}

# FACE_BOMBS[faces in hand]: every bomb that these face cards can form.
FACE_BOMBS: Final = tuple(
    tuple(
        play_of(number, faces << FACES_AT)
        for faces, number in _FACE_BOMB_NUMBER.items()
        if faces & owned == faces
    )
    for owned in range(8)
)


def _four(suits: tuple[int, ...]) -> int:
    return sum(RANK_MASK[rank] & SUIT_MASK[suit] for rank, suit in zip(POINT_RANKS, suits, strict=True))


_IN_ONE_SUIT: Final = tuple(_four((suit,) * 4) for suit in range(5))
_IN_FOUR_SUITS: Final = tuple(_four(suits) for suits in permutations(range(5), 4))
_SUIT_CARD_BOMB_NUMBER: Final = dict.fromkeys(_IN_ONE_SUIT, ONE_SUIT) | dict.fromkeys(
    _IN_FOUR_SUITS, FOUR_SUITS
)


def bombs_of(cards: int) -> tuple[int, ...]:
    """Return the bomb that these cards form, as combination numbers: one or none.

    >>> from engine.cards.hand import mask_of, parse_cards
    >>> from engine.combinations.kinds import combination_of
    >>> [str(combination_of(number)) for number in bombs_of(mask_of(parse_cards("3r 5o 7y 9g")))]
    ['bomb 3-5-7-9 in four suits']
    >>> bombs_of(mask_of(parse_cards("3r 5o 7y J")))
    ()
    """
    if cards & SUIT_CARD_BITS:
        number = _SUIT_CARD_BOMB_NUMBER.get(cards, 0)
    else:
        number = _FACE_BOMB_NUMBER.get(cards >> FACES_AT, 0)
    return (number,) if number else ()


_SUIT_CARD_BOMBS: Final[MemoTable] = new_table()


def bombs_in(hand: int) -> tuple[int, ...]:
    """Return every bomb in the hand, low to high."""
    if hand & RANK_MASK[3] and hand & RANK_MASK[5] and hand & RANK_MASK[7] and hand & RANK_MASK[9]:
        suit_card_bombs = _suit_card_bombs(hand & _POINT_CARDS)
        if suit_card_bombs:
            return tuple(sorted(suit_card_bombs + FACE_BOMBS[hand >> FACES_AT]))
    return FACE_BOMBS[hand >> FACES_AT]


def _suit_card_bombs(point_cards: int) -> tuple[int, ...]:
    cached = _SUIT_CARD_BOMBS.get(point_cards)
    if cached is not None:
        return cached
    fours = [
        sum(four) for four in product(*[_EACH_OF[point_cards & RANK_MASK[rank]] for rank in POINT_RANKS])
    ]
    bombs = [
        _SUIT_CARD_BOMB_NUMBER[four] << COMBINATION_AT | four
        for four in fours
        if four in _SUIT_CARD_BOMB_NUMBER
    ]
    return store(_SUIT_CARD_BOMBS, point_cards, tuple(bombs))


# For each subset of the cards of a point rank: its cards one by one.
_EACH_OF: Final = {
    sum(cards): cards
    for rank in POINT_RANKS
    for count in range(1, 6)
    for cards in combinations([RANK_MASK[rank] & suit for suit in SUIT_MASK], count)
}
