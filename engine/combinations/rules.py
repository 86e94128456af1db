"""Define which combinations exist at a table: by the suits of its deck and by the role of face cards.

Most rule sets let a face card in a run or stair stand for its own rank. Where face cards are only wild, no
run or stair goes above ten. All other rules about combinations are the same at every table.
"""

from typing import Final

from engine.combinations.kinds import COMBINATIONS, Kind
from engine.combinations.ladders import HIGHEST_SUIT_RANK
from engine.combinations.plays import COMBINATION_AT

# GOES_ABOVE_TEN[number]: whether the combination with this number is a run or stair with a rank above ten.
GOES_ABOVE_TEN: Final = (
    False,
    *(each.kind in {Kind.RUN, Kind.STAIR} and each.top > HIGHEST_SUIT_RANK for each in COMBINATIONS),
)


class CombinationRules:
    """The suits in play, and whether runs and stairs go above ten."""

    __slots__ = ("above_ten", "suits")

    def __init__(self, suits: int, *, above_ten: bool = True) -> None:
        """Store the suits; `above_ten` is false where face cards are only wild in runs and stairs."""
        self.suits: Final = suits
        self.above_ten: Final = above_ten

    def allows(self, number: int) -> bool:
        """Return whether the combination with this number exists at this table."""
        return self.above_ten or not GOES_ABOVE_TEN[number]


def up_to_ten(plays: list[int] | tuple[int, ...]) -> list[int]:
    """Return the plays without the runs and stairs that have a rank above ten."""
    return [play for play in plays if not GOES_ABOVE_TEN[play >> COMBINATION_AT]]


FOUR_SUITS: Final = CombinationRules(4)
FIVE_SUITS: Final = CombinationRules(5)
