"""Stairs: two or more consecutive ranks, each held in the same two suits or more, wild cards among them.

A stair holds a suit card. No rank and suit is filled twice, so a stair is at most as wide as the deck has
suits. Its face cards stand for a lower rank in whatever suit is missing, or for their own rank at the end.

To find every stair of a hand, each is looked for where its suit cards may be: in a window of ranks from its
lowest to its highest, ten at most (a stair that ends in jacks is found in the window that ends in tens),
and in the suits that they touch. What can be in two ranks, or in two suits of three or four ranks, is
memoised; anything larger is rare, and counted for before it is looked for.
"""

from itertools import combinations
from typing import Final

from engine.cards.hand import COLUMN, FACES, FACES_AT, RANK_MASK, SUIT_CARD_BITS, SUIT_MASK
from engine.combinations.kinds import LAST_OF_SHAPE, LENGTH, TOP, WIDTH
from engine.combinations.ladders import HIGHEST_SUIT_RANK, LADDER_NUMBER, ladders_of
from engine.combinations.memo import Table, new_table, remember
from engine.combinations.plays import COMBINATION_AT, FACE_CHOICES

WIDEST_STAIR: Final = 5
MOST_WILDS: Final = 3


def stairs_of(cards: int, suits: int) -> tuple[int, ...]:
    """The stairs that these cards are in a deck of so many suits, as combination numbers.

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
    """Every stair in the hand, in a deck of so many suits."""
    stairs: list[int] = []
    for mask, low, high, table in _TWO_RANKS[suits]:
        key = hand & mask
        known = table.get(key)
        if known is None:
            known = remember(table, key, _stairs_of_two_ranks(key, low, high, suits))
        stairs.extend(known)
    for mask, low, high, table in _TWO_SUITS[suits]:
        key = hand & mask
        known = table.get(key)
        if known is None:
            known = remember(table, key, _stairs_of_two_suits(key, low, high, suits))
        stairs.extend(known)
    if hand & FACES == FACES:
        _add_stairs_of_one_suit(stairs, hand, suits)
    _add_wide_and_long(stairs, hand, suits)
    return stairs


def stairs_between(place: int, hand: int, suits: int) -> tuple[int, ...]:
    """Every stair of two ranks in one place: 0 is tens and jacks, 1 twos and threes, up to nines and tens."""
    mask, low, high, table = _TWO_RANKS[suits][place]
    key = hand & mask
    known = table.get(key)
    if known is not None:
        return known
    return remember(table, key, _stairs_of_two_ranks(key, low, high, suits))


def stairs_above(number: int, hand: int, suits: int) -> list[int]:
    """Every stair in the hand of the same width and length as this one, with a higher top."""
    width, length = WIDTH[number], LENGTH[number]
    if hand.bit_count() < width * length or number == LAST_OF_SHAPE[number]:
        return []
    lowest, beyond = number + 1 << COMBINATION_AT, LAST_OF_SHAPE[number] + 1 << COMBINATION_AT
    if length > 2:
        return [play for play in stairs_in(hand, suits) if lowest <= play < beyond]
    stairs: list[int] = []
    for place, (mask, low, high, _) in enumerate(_TWO_RANKS[suits]):
        if low == HIGHEST_SUIT_RANK or high > TOP[number]:
            stairs.extend(_stairs_of_shape(place, width, hand, hand & mask, suits))
    return stairs


def _stairs_of_shape(place: int, width: int, hand: int, key: int, suits: int) -> tuple[int, ...]:
    """The stairs of two ranks and this width in one of the places for two ranks."""
    by_width = _TWO_RANKS_BY_WIDTH[suits][place][width]
    known = by_width.get(key)
    if known is not None:
        return known
    chosen = [
        play
        for play in stairs_between(place, hand, suits)
        if WIDTH[play >> COMBINATION_AT] == width and LENGTH[play >> COMBINATION_AT] == 2
    ]
    return remember(by_width, key, tuple(chosen), shared=True)


# WINDOW[low][high]: the suit cards of these ranks.
WINDOW: Final = tuple(
    tuple(sum(RANK_MASK[low : high + 1]) for high in range(HIGHEST_SUIT_RANK + 1))
    for low in range(HIGHEST_SUIT_RANK + 1)
)
_Place = tuple[int, int, int, Table]  # the cards that matter, lowest and highest rank, what is known of them


def _places_of_two_ranks(suits: int) -> tuple[_Place, ...]:
    """Tens alone (for stairs from tens to jacks), then two ranks after each other."""
    windows = [(10, 10), *((low, low + 1) for low in range(2, 10))]
    deck = sum(SUIT_MASK[:suits])
    return tuple((WINDOW[low][high] & deck | FACES, low, high, new_table()) for low, high in windows)


def _places_of_two_suits(suits: int) -> tuple[_Place, ...]:
    """Each two suits, in three ranks and, where there is room, the rank above them."""
    windows = [(low, min(low + 3, HIGHEST_SUIT_RANK)) for low in range(2, 9)]
    return tuple(
        (WINDOW[low][high] & (SUIT_MASK[first] | SUIT_MASK[second]) | FACES, low, high, new_table())
        for first, second in combinations(range(suits), 2)
        for low, high in windows
    )


_TWO_RANKS: Final = {suits: _places_of_two_ranks(suits) for suits in (4, 5)}
_TWO_RANKS_BY_WIDTH: Final = {
    suits: [[new_table() for _ in range(WIDEST_STAIR + 1)] for _ in _TWO_RANKS[suits]] for suits in (4, 5)
}
_TWO_SUITS: Final = {suits: _places_of_two_suits(suits) for suits in (4, 5)}


def _stairs_of_two_ranks(key: int, low: int, high: int, suits: int) -> tuple[int, ...]:
    """The stairs from rank `low` to rank `high`: one or two ranks."""
    stairs: list[int] = []
    _expand(stairs, key, low, high, suits)
    return tuple(stairs)


def _stairs_of_two_suits(key: int, low: int, high: int, suits: int) -> tuple[int, ...]:
    """The stairs from rank `low` over three ranks or four, that touch both suits."""
    held = (key & SUIT_CARD_BITS).bit_count() + (key >> FACES_AT).bit_count()
    stairs: list[int] = []
    if held >= 6:
        columns = [key & mask for mask in SUIT_MASK if key & mask]
        if len(columns) == 2:
            for end in range(low + 2, high + 1):
                _expand(stairs, key & (WINDOW[low][end] | FACES), low, end, suits, touched=2)
    return tuple(stairs)


def _add_stairs_of_one_suit(stairs: list[int], hand: int, suits: int) -> None:
    """Three ranks of one suit, and J, Q and K for the other suit of a stair of pairs."""
    for suit in range(suits):
        column = hand >> 9 * suit & COLUMN
        starts = column & column >> 1 & column >> 2
        for low in range(7):
            if starts >> low & 1:
                play = LADDER_NUMBER[2][3][low + 4] << COMBINATION_AT | FACES
                stairs.append(play | 0b111 << low + 9 * suit)


# Suit cards that a stair may hold, and how many wild cards it then needs: (width, cards, wild cards).
_Pattern = tuple[int, int, int]
_PATTERNS: Final[dict[tuple[int, int, int], list[_Pattern]]] = {}


def _expand(stairs: list[int], key: int, low: int, high: int, suits: int, touched: int = 0) -> None:
    """Add the stairs from rank `low` to `high`, and on to jacks, that touch so many suits (0: any)."""
    faces = key >> FACES_AT
    choices = FACE_CHOICES[faces]
    shift = low - 2
    ranks = high - low + 1
    own = (key & SUIT_CARD_BITS) >> shift
    for width, cards, wilds in _patterns(own, ranks, touched):
        if width > suits:
            continue
        number = LADDER_NUMBER[width][ranks][high]
        if number and choices[wilds]:
            play = number << COMBINATION_AT | cards << shift
            stairs.extend([play | chosen for chosen in choices[wilds]])
        if high == HIGHEST_SUIT_RANK and wilds + width <= MOST_WILDS:
            play = LADDER_NUMBER[width][ranks + 1][high + 1] << COMBINATION_AT | cards << shift
            stairs.extend([play | chosen for chosen in choices[wilds + width]])


def _patterns(own: int, ranks: int, touched: int) -> list[_Pattern]:
    """The patterns among some cards of a window that starts at rank 2: few thousand, so they are kept."""
    key = (own, ranks, touched)
    known = _PATTERNS.get(key)
    if known is None:
        known = _PATTERNS[key] = list(_make_patterns(own, ranks, touched))
    return known


def _make_patterns(own: int, ranks: int, touched: int) -> list[_Pattern]:
    """Cards in some suits make a stair just as wide, or one suit wider when wild cards fill a whole suit."""
    columns = [own & mask for mask in SUIT_MASK if own & mask]
    sizes = [touched] if touched else range(1, len(columns) + 1)
    return [
        (width, cards, width * ranks - cards.bit_count())
        for size in sizes
        for chosen in combinations(columns, size)
        for width in (size, size + 1)
        if 2 <= width <= WIDEST_STAIR
        for cards in _parts(chosen, width * ranks - MOST_WILDS)
    ]


def _parts(columns: tuple[int, ...], fewest: int) -> list[int]:
    """The parts of some cards, in every suit of theirs, that have so many cards or more."""
    whole = sum(columns)
    spare = whole.bit_count() - max(fewest, 1)
    if spare < 0:
        return []
    parts = [whole]
    bits = _bits(whole)
    for left_out in range(1, spare + 1):
        for unused in combinations(bits, left_out):
            part = whole ^ sum(unused)
            if all(part & column for column in columns):
                parts.append(part)
    return parts


def _bits(mask: int) -> list[int]:
    bits = []
    while mask:
        lowest = mask & -mask
        bits.append(lowest)
        mask ^= lowest
    return bits


def _add_wide_and_long(stairs: list[int], hand: int, suits: int) -> None:
    """Add the stairs of five ranks or more in two suits, and of three or more in three suits or more."""
    faces = (hand >> FACES_AT).bit_count() * _EACH_WINDOW
    columns = [hand >> 9 * suit & COLUMN for suit in range(suits)]
    fives = [_IN_FIVE_RANKS[column] for column in columns]
    for first, second in _PAIRS[suits]:
        enough = faces + fives[first] + fives[second] + _SIX_EACH & _SIXTEEN_OR_MORE
        if enough:
            _add_from(stairs, hand, enough, (first, second), 5, suits)
    threes = [_IN_THREE_RANKS[column] for column in columns]
    for first, second, third in _TRIPLES[suits]:
        enough = faces + threes[first] + threes[second] + threes[third] + _SEVEN_EACH & _SIXTEEN_OR_MORE
        if enough:
            _add_from(stairs, hand, enough, (first, second, third), 3, suits)
    if (hand & SUIT_CARD_BITS).bit_count() >= 9:
        _add_in_four_suits_or_more(stairs, hand, suits)


_PAIRS: Final = {suits: tuple(combinations(range(suits), 2)) for suits in (4, 5)}
_TRIPLES: Final = {suits: tuple(combinations(range(suits), 3)) for suits in (4, 5)}


def _counts_by_window(ranks: int) -> tuple[int, ...]:
    """For each column of a suit its cards in each window of so many ranks, five bits a window.

    So the windows of some suits are counted and compared all at once, by one addition.
    """
    window = (1 << ranks) - 1
    return tuple(
        sum((column >> low & window).bit_count() << 5 * low for low in range(10 - ranks))
        for column in range(COLUMN + 1)
    )


_IN_THREE_RANKS: Final = _counts_by_window(3)
_IN_FIVE_RANKS: Final = _counts_by_window(5)
_EACH_WINDOW: Final = sum(1 << 5 * low for low in range(7))
_SIXTEEN_OR_MORE: Final = 16 * _EACH_WINDOW
_SIX_EACH: Final = 6 * sum(1 << 5 * low for low in range(5))  # ten cards and these make sixteen
_SEVEN_EACH: Final = 7 * _EACH_WINDOW  # nine cards and these


def _add_in_four_suits_or_more(stairs: list[int], hand: int, suits: int) -> None:
    """Three ranks in four suits are twelve cards: this is the rarest of all."""
    for low in range(2, 9):
        if (hand & (WINDOW[low][low + 2] | FACES)).bit_count() >= 12:
            for size in range(4, suits + 1):
                for touched in combinations(range(suits), size):
                    _add_from(stairs, hand, 16 << 5 * (low - 2), touched, 3, suits)


# _WIDE_AND_LONG[suits][touched][low][high]: the same cards are looked for with an empty suit among them, too.
_WIDE_AND_LONG: Final = {
    suits: [[[new_table() for _ in range(11)] for _ in range(11)] for _ in range(suits + 1)]
    for suits in (4, 5)
}


def _add_from(
    stairs: list[int], hand: int, windows: int, touched: tuple[int, ...], ranks: int, suits: int
) -> None:
    """Add the stairs with suit cards in just these suits that start where a window is marked."""
    deck = FACES
    for suit in touched:
        deck |= SUIT_MASK[suit]
    while windows:
        low = windows.bit_length() // 5 + 1
        windows ^= 16 << 5 * (low - 2)
        for high in range(low + ranks - 1, HIGHEST_SUIT_RANK + 1):
            key = hand & deck & (WINDOW[low][high] | FACES)
            if key.bit_count() < len(touched) * (high - low + 1):
                break
            table = _WIDE_AND_LONG[suits][len(touched)][low][high]
            known = table.get(key)
            if known is None:
                known = remember(table, key, _make_wide_or_long(key, len(touched), low, high, suits))
            stairs.extend(known)


def _make_wide_or_long(key: int, touched: int, low: int, high: int, suits: int) -> tuple[int, ...]:
    """The stairs from `low` to `high`, and from there to jacks, with suit cards in each of so many suits."""
    columns = tuple([key & mask for mask in SUIT_MASK if key & mask])
    if len(columns) < touched:
        return ()
    ranks = high - low + 1
    faces = key >> FACES_AT
    choices = FACE_CHOICES[faces]
    stairs: list[int] = []
    for width in range(touched, min(touched + 1, suits) + 1):
        for part in _parts(columns, width * ranks - faces.bit_count()):
            wilds = width * ranks - part.bit_count()
            play = LADDER_NUMBER[width][ranks][high] << COMBINATION_AT | part
            stairs.extend([play | chosen for chosen in choices[wilds]])
            if high == HIGHEST_SUIT_RANK and wilds + width <= MOST_WILDS:
                play = LADDER_NUMBER[width][ranks + 1][high + 1] << COMBINATION_AT | part
                stairs.extend([play | chosen for chosen in choices[wilds + width]])
    return tuple(stairs)
