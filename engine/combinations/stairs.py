"""Find stairs: two or more consecutive ranks, each in the same two or more suits, including wild cards.

A stair includes a suit card. Each rank of a suit is filled once, so a stair is at most as wide as the deck
has suits. Its face cards stand for a lower rank in the missing suit, or for their own rank at the end.

The search for all stairs of a hand goes by the place of their suit cards: a window of ranks, from the lowest
to the highest but not above ten (a stair that ends in jacks is found in the window that ends in tens), and
the suits that they touch. Stairs of two ranks, and stairs of three or four ranks in two suits, are memoized;
anything larger is rare (see `engine.combinations.large_stairs`).
"""

from itertools import combinations
from typing import Final

from engine.cards.hand import FACES, RANK_MASK, SUIT_CARD_BITS, SUIT_MASK
from engine.combinations.kinds import LAST_OF_SHAPE, LENGTH, WIDTH
from engine.combinations.ladders import HIGHEST_SUIT_RANK, LADDER_NUMBER, ladders_of, suit_count
from engine.combinations.large_stairs import add_large_stairs
from engine.combinations.memo import MemoTable, new_table, store
from engine.combinations.plays import COMBINATION_AT, between
from engine.combinations.stair_patterns import WINDOW, add_stairs_in_window


def stairs_of(cards: int, suits: int) -> tuple[int, ...]:
    """Return the stairs that these cards form in a deck of `suits` suits, as combination numbers.

    >>> from engine.cards.hand import mask_of, parse_cards
    >>> from engine.combinations.kinds import combination_of
    >>> [str(combination_of(number)) for number in stairs_of(mask_of(parse_cards("Tr Tg J Q")), 4)]
    ['stair of pairs, nine to ten', 'stair of pairs, ten to jack']
    """
    stairs: list[int] = []
    for width in range(2, suits + 1):
        stairs.extend(ladders_of(cards, width, suits))
    return tuple(stairs)


def stairs_in(hand: int, suits: int) -> list[int]:
    """Return every stair in the hand, in a deck of `suits` suits."""
    stairs: list[int] = []
    for mask, low, high, table in _TWO_RANKS[suits]:
        key = hand & mask
        cached = table.get(key)
        if cached is None:
            cached = store(table, key, _stairs_of_two_ranks(key, low, high, suits))
        stairs.extend(cached)
    for mask, low, high, table in _TWO_SUITS[suits]:
        key = hand & mask
        cached = table.get(key)
        if cached is None:
            cached = store(table, key, _stairs_of_two_suits(key, low, high, suits))
        stairs.extend(cached)
    _add_other_long_stairs(stairs, hand, suits)
    return stairs


def stairs_between(place: int, hand: int, suits: int) -> tuple[int, ...]:
    """Return the stairs of two ranks in one place, including those on to jacks, in combination order.

    Place 0 is tens and jacks, 1 is twos and threes, and so on up to nines and tens.
    """
    mask, low, high, table = _TWO_RANKS[suits][place]
    key = hand & mask
    cached = table.get(key)
    if cached is not None:
        return cached
    return store(table, key, _stairs_of_two_ranks(key, low, high, suits))


def long_stairs_at(place: int, hand: int, suits: int) -> list[int]:
    """Return the stairs of three ranks or more; of the memoized two-suit stairs, only those of one place."""
    mask, low, high, table = _TWO_SUITS[suits][place]
    key = hand & mask
    cached = table.get(key)
    if cached is None:
        cached = store(table, key, _stairs_of_two_suits(key, low, high, suits))
    stairs = list(cached)
    _add_other_long_stairs(stairs, hand, suits)
    return stairs


def stairs_above(number: int, hand: int, suits: int) -> list[int]:
    """Return every stair in the hand with the width and length of combination `number` and a higher top."""
    width, length = WIDTH[number], LENGTH[number]
    size = width * length
    if hand.bit_count() < size or number == LAST_OF_SHAPE[number]:
        return []
    if length > 2:
        lowest, beyond = number + 1 << COMBINATION_AT, LAST_OF_SHAPE[number] + 1 << COMBINATION_AT
        return [play for play in stairs_in(hand, suits) if lowest <= play < beyond]
    stairs: list[int] = []
    for place, (mask, low, _, _) in enumerate(_TWO_RANKS[suits]):
        wanted = LADDER_NUMBER[width][2][low + 1]
        if wanted > number and (hand & mask).bit_count() >= size:
            stairs.extend(between(wanted, wanted, stairs_between(place, hand, suits)))
    return stairs


_Place = tuple[
    int, int, int, MemoTable
]  # the relevant cards, the lowest and highest rank, the memoized stairs


def _places_of_two_ranks(suits: int) -> tuple[_Place, ...]:
    """Return the windows: tens alone (for stairs from tens to jacks), then each two consecutive ranks."""
    windows = [(10, 10), *((low, low + 1) for low in range(2, 10))]
    deck = sum(SUIT_MASK[:suits])
    return tuple((WINDOW[low][high] & deck | FACES, low, high, new_table()) for low, high in windows)


def _places_of_two_suits(suits: int) -> tuple[_Place, ...]:
    """Return, for each pair of suits, the windows that hold stairs of three or four ranks."""
    windows = [(low, min(low + 4, HIGHEST_SUIT_RANK)) for low in range(2, 9, 2)]
    return tuple(
        (WINDOW[low][high] & (SUIT_MASK[first] | SUIT_MASK[second]) | FACES, low, high, new_table())
        for first, second in combinations(range(suits), 2)
        for low, high in windows
    )


_TWO_RANKS: Final = {suits: _places_of_two_ranks(suits) for suits in (4, 5)}
_TWO_SUITS: Final = {suits: _places_of_two_suits(suits) for suits in (4, 5)}
PLACES_OF_LONG_STAIRS: Final = {suits: len(places) for suits, places in _TWO_SUITS.items()}
FEWEST_IN_LONG_STAIR: Final = 6


def _stairs_of_two_ranks(key: int, low: int, high: int, suits: int) -> tuple[int, ...]:
    """Return the stairs over one or two ranks from `low` to `high`, or on to jacks, in combination order."""
    stairs: list[int] = []
    add_stairs_in_window(stairs, key, low, high, suits)
    if high == HIGHEST_SUIT_RANK:
        stairs.sort()  # stairs that go on to jacks were appended between the others
    return tuple(stairs)


def _stairs_of_two_suits(key: int, low: int, high: int, suits: int) -> tuple[int, ...]:
    """Return the stairs of three or four ranks that start at `low` or `low` + 1 and touch both suits."""
    stairs: list[int] = []
    if key.bit_count() >= FEWEST_IN_LONG_STAIR and suit_count(key & SUIT_CARD_BITS) == 2:
        for start in (low, low + 1):
            for end in range(start + 2, min(start + 3, high) + 1):
                cards = key & (WINDOW[start][end] | FACES)
                if cards.bit_count() >= 2 * (end - start + 1):
                    add_stairs_in_window(stairs, cards, start, end, suits, touched=2)
    return tuple(stairs)


def _add_other_long_stairs(stairs: list[int], hand: int, suits: int) -> None:
    """Append the stairs of three ranks or more that the two-suit tables do not cover."""
    if hand & FACES == FACES:
        _add_stairs_of_one_suit(stairs, hand)
    add_large_stairs(stairs, hand, suits)


def _add_stairs_of_one_suit(stairs: list[int], hand: int) -> None:
    """Append the stairs of pairs that consist of three ranks in one suit and J, Q and K."""
    lowest_cards = hand & hand >> 1 & hand >> 2 & _TWO_TO_EIGHT
    while lowest_cards:
        lowest = lowest_cards & -lowest_cards
        lowest_cards ^= lowest
        top = (lowest.bit_length() - 1) % 9 + 4
        stairs.append(LADDER_NUMBER[2][3][top] << COMBINATION_AT | 0b111 * lowest | FACES)


_TWO_TO_EIGHT: Final = sum(RANK_MASK[: HIGHEST_SUIT_RANK - 1])
