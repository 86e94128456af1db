"""Legal plays by combination: how many there are of each, and the one that costs fewest wild cards."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.cards.hand import FACES
from engine.combinations.ambiguity import UNNAMED, Named
from engine.combinations.kinds import Combination, combination_of
from engine.combinations.plays import COMBINATION_AT


@dataclass(frozen=True, slots=True)
class Group:
    """One combination that may be played, in so many ways, and its cheapest play."""

    combination: Combination
    count: int
    cheapest: int


def grouped(plays: Iterable[int], named: Named = UNNAMED) -> tuple[Group, ...]:
    """The plays that fit the name, by combination: fewest wild cards first, then by their number."""
    by_number: dict[int, list[int]] = {}
    for play in plays:
        by_number.setdefault(play >> COMBINATION_AT, []).append(play)
    groups = [
        Group(combination, len(ways), min(ways, key=cost))
        for number, ways in by_number.items()
        if named.fits(combination := combination_of(number))
    ]
    return tuple(sorted(groups, key=lambda group: (cost(group.cheapest)[0], group.combination.number)))


def cost(play: int) -> tuple[int, int]:
    """What a play costs: its wild cards first, then whatever order makes the choice always the same."""
    return (play & FACES).bit_count(), play
