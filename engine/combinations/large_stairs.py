"""Find large stairs: five ranks or more in two suits, or three ranks or more in three suits or more.

Large stairs have many possible places but few hands have enough cards for one, so the cards of a hand are
counted in all places at once. All counts are packed into one int, five bits each. A count starts at 16 minus
the fewest cards that fill its place, so its highest bit says whether there are enough. Adding one precomputed
number per suit updates all the counts.
"""

from collections.abc import Iterable
from itertools import combinations
from typing import Final, NamedTuple

from engine.cards.hand import COLUMN, FACES, FACES_AT, SUIT_MASK
from engine.combinations.ladders import HIGHEST_SUIT_RANK, LADDER_NUMBER
from engine.combinations.memo import new_table, store
from engine.combinations.plays import COMBINATION_AT, FACE_CHOICES
from engine.combinations.stair_patterns import MOST_WILDS, WINDOW, covering_subsets


class _Place(NamedTuple):
    """A place for large stairs: the cards of some suits over the fewest ranks, starting at a lowest rank."""

    touched: int
    suits: int
    low: int
    ranks: int

    @property
    def cards(self) -> int:
        """The suit cards that fill this place."""
        return self.suits & WINDOW[self.low][self.low + self.ranks - 1]


def _places(suits: int) -> tuple[_Place, ...]:
    """Return every place of five ranks in two suits, and of three ranks in three suits or more."""
    return tuple(
        _Place(size, sum(SUIT_MASK[suit] for suit in touched), low, ranks)
        for size in range(2, suits + 1)
        for touched in combinations(range(suits), size)
        for ranks in (5 if size == 2 else 3,)
        for low in range(2, HIGHEST_SUIT_RANK - ranks + 2)
    )


_PLACES: Final = {suits: _places(suits) for suits in (4, 5)}
_COUNT_BITS: Final = 5
_ENOUGH: Final = 16


def _pack(counts: Iterable[int]) -> int:
    return sum(count << _COUNT_BITS * at for at, count in enumerate(counts))


def _counts_by_column(suit: int, places: tuple[_Place, ...]) -> tuple[int, ...]:
    """Return what a suit adds to the packed counts, for each possible column of its cards."""
    by_card = [_pack(place.cards >> 9 * suit + rank & 1 for place in places) for rank in range(9)]
    counts = [0]
    for count in by_card:
        counts += [cached + count for cached in counts]
    return tuple(counts)


_COUNTS_BY_COLUMN: Final = {
    suits: tuple(_counts_by_column(suit, places) for suit in range(suits))
    for suits, places in _PLACES.items()
}
_INITIAL_COUNTS: Final = {
    suits: tuple(
        _pack(_ENOUGH - place.touched * place.ranks + faces.bit_count() for place in places)
        for faces in range(8)
    )
    for suits, places in _PLACES.items()
}
_ENOUGH_BITS: Final = {suits: _pack(_ENOUGH for _ in places) for suits, places in _PLACES.items()}


def add_large_stairs(stairs: list[int], hand: int, suits: int) -> None:
    """Append every large stair in the hand to `stairs`."""
    counts = _INITIAL_COUNTS[suits][hand >> FACES_AT]
    column = hand
    for counted in _COUNTS_BY_COLUMN[suits]:
        counts += counted[column & COLUMN]
        column >>= 9
    enough = counts & _ENOUGH_BITS[suits]
    while enough:
        at = enough.bit_length() // _COUNT_BITS - 1
        enough ^= _ENOUGH << _COUNT_BITS * at
        _add_from(stairs, hand, at, suits)


# Stairs already found, by cards, place and highest rank.
_TABLES: Final = {suits: new_table() for suits in (4, 5)}


def _add_from(stairs: list[int], hand: int, at: int, suits: int) -> None:
    """Append the stairs with suit cards in exactly the suits of one place, starting at its lowest rank."""
    touched, deck, low, ranks = _PLACES[suits][at]
    table = _TABLES[suits]
    for high in range(low + ranks - 1, HIGHEST_SUIT_RANK + 1):
        cards = hand & (deck & WINDOW[low][high] | FACES)
        if cards.bit_count() < touched * (high - low + 1):
            break
        key = (at << 4 | high) << COMBINATION_AT | cards
        cached = table.get(key)
        if cached is None:
            cached = store(table, key, _make_stairs(cards, touched, low, high, suits))
        stairs.extend(cached)


def _make_stairs(cards: int, touched: int, low: int, high: int, suits: int) -> tuple[int, ...]:
    """Return the stairs from `low` to `high`, or on to jacks, with suit cards in exactly `touched` suits."""
    columns = tuple([cards & mask for mask in SUIT_MASK if cards & mask])
    if len(columns) < touched:
        return ()
    ranks = high - low + 1
    faces = cards >> FACES_AT
    choices = FACE_CHOICES[faces]
    stairs: list[int] = []
    for width in range(touched, min(touched + 1, suits) + 1):
        for part in covering_subsets(columns, width * ranks - faces.bit_count()):
            wilds = width * ranks - part.bit_count()
            play = LADDER_NUMBER[width][ranks][high] << COMBINATION_AT | part
            stairs.extend([play | chosen for chosen in choices[wilds]])
            if high == HIGHEST_SUIT_RANK and wilds + width <= MOST_WILDS:
                play = LADDER_NUMBER[width][ranks + 1][high + 1] << COMBINATION_AT | part
                stairs.extend([play | chosen for chosen in choices[wilds + width]])
    return tuple(stairs)
