"""Define combinations: a kind, a top, a width and a length. There are 243 of them, each with a number.

Combinations of one shape (kind, width, length) are numbered consecutively, lower tops first; bombs come last.
Comparing numbers therefore follows the rules: the higher number beats the lower within a shape and among
bombs. Number 0 means no combination.

>>> str(Combination(Kind.STAIR, top=11, width=2, length=2))
'stair of pairs, ten to jack'
>>> NUMBER_OF[Combination(Kind.SET, top=3, width=1, length=1)]
2
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, assert_never

from engine.cards.card import JACK, KING
from engine.cards.deck import HAND_CARDS


class Kind(StrEnum):
    """The four kinds of combination."""

    SET = "set"
    RUN = "run"
    STAIR = "stair"
    BOMB = "bomb"


@dataclass(frozen=True, slots=True)
class Combination:
    """One combination: `top` is its highest rank, or a bomb's level (1 to 6), with width and length 0."""

    kind: Kind
    top: int
    width: int
    length: int

    @property
    def number(self) -> int:
        """The number of this combination."""
        return NUMBER_OF[self]

    @property
    def shape(self) -> tuple[Kind, int, int]:
        """What a play must share with the play it beats, unless it is a bomb."""
        return (self.kind, self.width, self.length)

    def __str__(self) -> str:
        """Describe the combination in words, as shown to clients in `combination.text`."""
        match self.kind:
            case Kind.SET:
                return _set_in_words(self.top, self.width)
            case Kind.RUN:
                return f"run of {_COUNTS[self.length]}, {_span(self)}"
            case Kind.STAIR:
                return f"stair of {_GROUPS[self.width]}, {_span(self)}"
            case Kind.BOMB:
                return f"bomb {BOMB_NAMES[self.top]}"
            case _:
                assert_never(self.kind)


BOMB_NAMES: Final = {
    1: "3-5-7-9 in four suits",
    2: "J-Q",
    3: "J-K",
    4: "Q-K",
    5: "J-Q-K",
    6: "3-5-7-9 in one suit",
}
_COUNTS: Final = dict(
    enumerate("none one two three four five six seven eight nine ten eleven twelve".split()),
)
_RANKS: Final = dict(
    enumerate("two three four five six seven eight nine ten jack queen king".split(), start=2)
)
_GROUPS: Final = {2: "pairs", 3: "triples", 4: "quadruples", 5: "quintuples"}


def _set_in_words(rank: int, width: int) -> str:
    name = _RANKS[rank]
    if width == 1:
        return f"single {name}"
    many = name + ("es" if name == "six" else "s")
    return f"pair of {many}" if width == 2 else f"{_COUNTS[width]} {many}"


def _span(combination: Combination) -> str:
    lowest = combination.top - combination.length + 1
    return f"{_RANKS[lowest]} to {_RANKS[combination.top]}"


def _sets() -> list[Combination]:
    """Return the sets: singles go up to the king; larger sets include a suit card, so they end at ten."""
    singles = [Combination(Kind.SET, top, 1, 1) for top in range(2, KING + 1)]
    larger = [Combination(Kind.SET, top, width, 1) for width in range(2, 9) for top in range(2, 11)]
    return singles + larger


def _runs() -> list[Combination]:
    """Return the runs: with at least one suit card, a run starts at ten or lower and ends at most at king."""
    return [
        Combination(Kind.RUN, top, 1, length)
        for length in range(3, 13)
        for top in range(length + 1, min(KING, length + 9) + 1)
    ]


def _stairs() -> list[Combination]:
    """Return the stairs: with three face cards, stairs of width two or three reach jacks but never queens."""
    return [
        Combination(Kind.STAIR, top, width, length)
        for width in range(2, 6)
        for length in range(2, HAND_CARDS // width + 1)
        for top in range(length + 1, (JACK if width <= 3 else 10) + 1)
    ]


COMBINATIONS: Final = (
    *_sets(),
    *_runs(),
    *_stairs(),
    *(Combination(Kind.BOMB, level, 0, 0) for level in range(1, 7)),
)
NUMBER_OF: Final = {combination: number for number, combination in enumerate(COMBINATIONS, start=1)}

TOP: Final = (0, *(combination.top for combination in COMBINATIONS))
KIND: Final = (None, *(combination.kind for combination in COMBINATIONS))
WIDTH: Final = (0, *(combination.width for combination in COMBINATIONS))
LENGTH: Final = (0, *(combination.length for combination in COMBINATIONS))
FIRST_BOMB: Final = NUMBER_OF[Combination(Kind.BOMB, 1, 0, 0)]


def combination_of(number: int) -> Combination:
    """Return the combination with this number."""
    return COMBINATIONS[number - 1]


def number_of(kind: Kind, top: int, width: int, length: int) -> int:
    """Return the number of a combination, or 0 if it does not exist."""
    return NUMBER_OF.get(Combination(kind, top, width, length), 0)


_TOP_NUMBER: Final = {combination.shape: number for combination, number in NUMBER_OF.items()}
LAST_OF_SHAPE: Final = (0, *(_TOP_NUMBER[combination.shape] for combination in COMBINATIONS))
