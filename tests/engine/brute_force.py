"""Find every play of a hand by brute force, straight from the rules, as a reference for the engine.

Each subset of a hand is compared with every combination. A run or stair has places, each with a rank and a
suit: the suit cards go to their own places, and every assignment of the face cards to the remaining places is
tried until one is allowed. Nothing of the engine is used except the codes of cards.

>>> sorted(combinations_of("Tr Tg J Q".split(), "royg"))[:2]
[Combination(kind='set', top=10, width=4, length=1), Combination(kind='stair', top=10, width=2, length=2)]
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, combinations, permutations, product
from typing import Literal, NamedTuple

CODES = "23456789TJQK"
LOWEST, HIGHEST = 2, 13
MOST_CARDS = 17

# What a face card may stand for: "lower" is a rank below its own, or its own rank; "any" is any rank; "suit
# card" is the rank of a suit card, and so never its own.
Stands = Literal["lower", "any", "suit card"]
HIGHEST_SUIT_CARD = 10
Place = tuple[int, str]


class Combination(NamedTuple):
    """A combination: kind, highest rank (a bomb's level), cards per rank, and number of ranks."""

    kind: str
    top: int
    width: int
    length: int


class Play(NamedTuple):
    """Cards, and the combination that they are played as."""

    cards: frozenset[str]
    combination: Combination


class Ladder(NamedTuple):
    """A run or stair in certain suits, and the places to fill for it."""

    combination: Combination
    places: frozenset[Place]


@cache
def rank_of(card: str) -> int:
    """Return the rank of a card: 2 to 13.

    >>> rank_of("2b"), rank_of("K")
    (2, 13)
    """
    return CODES.index(card[0]) + LOWEST


def plays_of(hand: Iterable[str], suits: str, stands: Stands = "lower") -> set[Play]:
    """Return every play of a hand: each subset, as each combination that it can form."""
    suit_cards, face_cards = _parted(hand)
    return {
        Play(frozenset(own + faces), combination)
        for own in subsets(suit_cards)
        for faces in subsets(face_cards)
        for combination in _combinations_of(own, faces, suits, stands)
    }


def combinations_of(cards: Iterable[str], suits: str, stands: Stands = "lower") -> set[Combination]:
    """Return every combination that exactly these cards can form."""
    suit_cards, face_cards = _parted(cards)
    return set(_combinations_of(suit_cards, face_cards, suits, stands))


def subsets(cards: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Return every subset of the cards, including the empty one and all of them."""
    return chain.from_iterable(combinations(cards, size) for size in range(len(cards) + 1))


def beats(combination: Combination, current: Combination) -> bool:
    """Return whether one combination may be played on the other."""
    if combination.kind == "bomb":
        return current.kind != "bomb" or combination.top > current.top
    same_shape = combination._replace(top=0) == current._replace(top=0)
    return same_shape and combination.top > current.top


def _parted(cards: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the suit cards and the face cards among the cards."""
    ordered = sorted(cards)
    faces = tuple(card for card in ordered if card in "JQK")
    return tuple(card for card in ordered if card not in faces), faces


def _combinations_of(
    suit_cards: tuple[str, ...], faces: tuple[str, ...], suits: str, stands: Stands
) -> Iterator[Combination]:
    if suit_cards:
        yield from _sets_of(suit_cards, faces, stands)
        yield from _ladders_of(suit_cards, faces, suits, stands)
        yield from _point_bombs_of(suit_cards, faces)
    elif faces:
        yield _face_cards_alone(faces)


def _sets_of(suit_cards: tuple[str, ...], faces: tuple[str, ...], stands: Stands) -> Iterator[Combination]:
    """Yield the set of suit cards of one rank, and wild cards that all stand for that rank."""
    rank = rank_of(suit_cards[0])
    if all(rank_of(card) == rank for card in suit_cards) and can_fill((rank,) * len(faces), faces, stands):
        yield Combination("set", rank, len(suit_cards) + len(faces), 1)


def _ladders_of(
    suit_cards: tuple[str, ...], faces: tuple[str, ...], suits: str, stands: Stands
) -> Iterator[Combination]:
    """Yield the runs and stairs with a place for every suit card and face cards for all other places.

    Two choices of suits can give the same combination: a suit of wild cards alone can be any suit.
    """
    found = set()
    for ladder in _ladders_with_places_for(suit_cards, len(suit_cards) + len(faces), suits):
        empty = ladder.places - {(rank_of(card), card[1]) for card in suit_cards}
        if can_fill(tuple(sorted(rank for rank, _ in empty)), faces, stands):
            found.add(ladder.combination)
    yield from found


@cache
def can_fill(ranks: tuple[int, ...], faces: tuple[str, ...], stands: Stands) -> bool:
    """Return whether the face cards can stand for cards of these ranks, one for each."""
    if stands == "suit card":
        return all(rank <= HIGHEST_SUIT_CARD for rank in ranks) and len(ranks) == len(faces)
    return any(
        all(stands == "any" or rank <= rank_of(face) for rank, face in zip(ranks, placed, strict=True))
        for placed in permutations(faces)
    )


def _point_bombs_of(suit_cards: tuple[str, ...], faces: tuple[str, ...]) -> Iterator[Combination]:
    """Yield 3-5-7-9 without wild cards: the highest bomb in one suit, the lowest in four."""
    if not faces and sorted(rank_of(card) for card in suit_cards) == [3, 5, 7, 9]:
        level = {1: 6, 4: 1}.get(len({card[1] for card in suit_cards}))
        if level is not None:
            yield Combination("bomb", level, 0, 0)


def _face_cards_alone(faces: tuple[str, ...]) -> Combination:
    """Return the single of a face card, or the bomb of several face cards, without suit cards."""
    if len(faces) == 1:
        return Combination("set", rank_of(faces[0]), 1, 1)
    return Combination("bomb", {"JQ": 2, "JK": 3, "KQ": 4, "JKQ": 5}["".join(sorted(faces))], 0, 0)


@cache
def ladders(suits: str) -> tuple[Ladder, ...]:
    """Return every run (width 1) and stair in a deck of these suits, even with more than three gaps."""
    return tuple(
        Ladder(
            Combination("run" if width == 1 else "stair", top, width, length),
            frozenset(product(range(top - length + 1, top + 1), chosen)),
        )
        for width in range(1, len(suits) + 1)
        for chosen in combinations(suits, width)
        for length in range(3 if width == 1 else 2, MOST_CARDS // width + 1)
        for top in range(LOWEST + length - 1, HIGHEST + 1)
    )


def _ladders_with_places_for(suit_cards: tuple[str, ...], count: int, suits: str) -> list[Ladder]:
    """Return the ladders of this many cards that have a place for every one of these suit cards.

    Sets of ladders are bits of an int, so that a subset of a hand takes one step per card.
    """
    left = _ladders_of_size(suits).get(count, 0)
    for card in suit_cards:
        left &= _ladders_with(card, suits)
        if not left:
            return []
    return [ladders(suits)[index] for index in _bits(left)]


def _bits(number: int) -> Iterator[int]:
    while number:
        index = number.bit_length() - 1
        yield index
        number ^= 1 << index


@cache
def _ladders_of_size(suits: str) -> dict[int, int]:
    sizes: dict[int, int] = {}
    for index, ladder in enumerate(ladders(suits)):
        sizes[len(ladder.places)] = sizes.get(len(ladder.places), 0) | 1 << index
    return sizes


@cache
def _ladders_with(card: str, suits: str) -> int:
    place = (rank_of(card), card[1])
    return sum(1 << index for index, ladder in enumerate(ladders(suits)) if place in ladder.places)
