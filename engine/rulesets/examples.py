"""Worked examples for the rule pages, as data; tests verify each of them against the rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.rulesets.terms import BetSplit, BetSucceeds, FaceCards

NAMES: Final = ("Ailsa", "Bruce", "Catriona")


@dataclass(frozen=True, slots=True)
class CombinationExample:
    """Some cards and every combination they form: as shapes (kind, top, width, length) and in words."""

    cards: str
    shapes: tuple[tuple[str, int, int, int], ...]
    names: tuple[str, ...]

    def names_under(self, face_cards: FaceCards) -> tuple[str, ...]:
        """Return the names of the combinations that exist with this role of face cards in runs and stairs."""
        return tuple(
            name
            for name, shape in zip(self.names, self.shapes, strict=True)
            if face_cards is FaceCards.WILD_OR_OWN_RANK or not goes_above_ten(shape)
        )


def goes_above_ten(shape: tuple[str, int, int, int]) -> bool:
    """Return whether this is a run or stair with a rank above ten."""
    kind, top, _, _ = shape
    return kind in {"run", "stair"} and top > 10


COMBINATIONS: Final = (
    CombinationExample("7g", (("set", 7, 1, 1),), ("single seven",)),
    CombinationExample("7r 7g J", (("set", 7, 3, 1),), ("three sevens",)),
    CombinationExample("4g 5g 6g 7g", (("run", 7, 1, 4),), ("run of four to the 7",)),
    CombinationExample("4r 4g 5r 5g", (("stair", 5, 2, 2),), ("stair of pairs, fours and fives",)),
    CombinationExample("9r Tr J", (("run", 11, 1, 3), ("run", 10, 1, 3)), ("run 9-10-J", "run 8-9-10")),
    CombinationExample(
        "Tr Tg J Q",
        (("set", 10, 4, 1), ("stair", 11, 2, 2), ("stair", 10, 2, 2)),
        ("four tens", "stair of pairs 10-J", "stair of pairs 9-10"),
    ),
    CombinationExample("Q", (("set", 12, 1, 1),), ("single queen",)),
    CombinationExample("J Q", (("bomb", 2, 0, 0),), ("bomb",)),
    CombinationExample("3r 5o 7y 9g", (("bomb", 1, 0, 0),), ("the lowest bomb",)),
    CombinationExample("3y 5y 7y 9y", (("bomb", 6, 0, 0),), ("the highest bomb",)),
)


@dataclass(frozen=True, slots=True)
class BetExample:
    """Bets, the order of going out, each player's other points, and what each scores for bets."""

    bets: tuple[int, ...]
    out: tuple[int, ...]
    points: tuple[int, ...]
    paid: tuple[int, ...]


Key = tuple[int, BetSucceeds, BetSplit]
_FIRST, _POINTS = BetSucceeds.GOES_OUT_FIRST, BetSucceeds.SCORES_THE_BET

BETS: Final[Mapping[Key, tuple[BetExample, ...]]] = {
    (2, _FIRST, BetSplit.FULL): (
        BetExample(bets=(30, 0), out=(0,), points=(41, 12), paid=(30, 0)),
        BetExample(bets=(30, 0), out=(1,), points=(12, 41), paid=(0, 30)),
        BetExample(bets=(30, 15), out=(1,), points=(12, 41), paid=(0, 45)),
    ),
    (3, _FIRST, BetSplit.FULL): (
        BetExample(bets=(15, 15, 0), out=(0, 1), points=(62, 30, 8), paid=(30, 0, 15)),
        BetExample(bets=(15, 15, 0), out=(2, 0), points=(30, 8, 62), paid=(0, 0, 30)),
        BetExample(bets=(30, 15, 15), out=(1, 2), points=(8, 62, 30), paid=(0, 60, 0)),
    ),
    (3, _FIRST, BetSplit.THIRDS): (
        BetExample(bets=(15, 15, 0), out=(0, 1), points=(62, 30, 8), paid=(25, 5, 0)),
        BetExample(bets=(15, 15, 0), out=(2, 1), points=(8, 30, 62), paid=(0, 10, 20)),
        BetExample(bets=(30, 15, 15), out=(1, 2), points=(8, 62, 30), paid=(0, 45, 15)),
    ),
    (2, _POINTS, BetSplit.FULL): (
        BetExample(bets=(30, 0), out=(0,), points=(26, 14), paid=(0, 30)),
        BetExample(bets=(30, 15), out=(1,), points=(31, 22), paid=(30, 15)),
    ),
    (3, _POINTS, BetSplit.FULL): (
        BetExample(bets=(30, 15, 0), out=(0, 1), points=(26, 18, 9), paid=(0, 15, 30)),
        BetExample(bets=(30, 5, 0), out=(1, 2), points=(14, 40, 16), paid=(0, 35, 30)),
    ),
}
