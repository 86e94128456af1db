"""Group legal plays by combination: how many there are of each, and the one with the fewest wild cards."""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.cards.hand import FACES
from engine.combinations.ambiguity import UNNAMED, Named
from engine.combinations.kinds import Combination, combination_of
from engine.combinations.plays import COMBINATION_AT


@dataclass(frozen=True, slots=True)
class Group:
    """One combination that may be played, the number of ways to play it, and its cheapest play."""

    combination: Combination
    count: int
    cheapest: int


def grouped(plays: Iterable[int], named: Named = UNNAMED) -> tuple[Group, ...]:
    """Return the plays that match the name, by combination: fewest wild cards first, then by number."""
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
    """Return the sort key of a play: its number of wild cards, then the play itself as a stable tie-break."""
    return (play & FACES).bit_count(), play
