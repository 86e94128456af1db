"""Which combination is meant when a player names cards, and perhaps the combination.

Unnamed, only readings that beat the current play count; when they are all of one shape the highest top is
taken, when several shapes remain the play is ambiguous. A name, whole or in part, first leaves out the true
readings that do not fit it. So a player may also choose a lower reading.
"""

from dataclasses import dataclass

from engine.combinations.beating import beats, judge
from engine.combinations.kinds import Combination, Kind, combination_of
from engine.combinations.readings import numbers_of, reading_of, why_none
from engine.combinations.rules import CombinationRules
from engine.errors import Refused
from engine.rulebook import Clause


@dataclass(frozen=True, slots=True)
class Named:
    """A combination as a player names it: what is left out may be anything."""

    kind: Kind | None = None
    top: int | None = None
    width: int | None = None
    length: int | None = None

    def fits(self, combination: Combination) -> bool:
        """Whether the combination is one so named."""
        return (
            self.kind in {None, combination.kind}
            and self.top in {None, combination.top}
            and self.width in {None, combination.width}
            and self.length in {None, combination.length}
        )


UNNAMED = Named()


def choose_reading(cards: int, named: Named, current: int, rules: CombinationRules) -> int:
    """The number of the combination that these cards are played as on the current one (0 when leading).

    Refused with `not_a_combination`, `does_not_beat` or, with the readings to choose from,
    `ambiguous_combination`.
    """
    fitting = _fitting(cards, named, rules)
    beating = [number for number in fitting if beats(number, current)]
    if not beating:
        raise Refused(
            "does_not_beat", "This does not beat the current play.", rule=_why_not(fitting, current)
        )
    if len(beating) > 1 and len({combination_of(number).shape for number in beating}) > 1:
        raise Refused(
            "ambiguous_combination",
            "These cards fit several shapes: say which with `as`.",
            rule=Clause.PLAY_ONE_READING,
            readings=tuple(reading_of(cards, number) for number in beating),
        )
    return beating[-1]


def _fitting(cards: int, named: Named, rules: CombinationRules) -> list[int]:
    """The true readings that fit the name."""
    numbers = numbers_of(cards, rules)
    if not numbers:
        rule = why_none(cards, rules)
        raise Refused("not_a_combination", f"These cards are no combination. {rule.text}", rule=rule)
    fitting = [number for number in numbers if named.fits(combination_of(number))]
    if not fitting:
        raise Refused(
            "not_a_combination",
            "These cards are not the combination named.",
            rule=_why_not_as_named(cards, named, rules),
            readings=tuple(reading_of(cards, number) for number in numbers),
        )
    return fitting


def _why_not_as_named(cards: int, named: Named, rules: CombinationRules) -> Clause:
    """Return the clause that keeps the cards from being the combination named."""
    elsewhere = numbers_of(cards, CombinationRules(rules.suits))
    if any(named.fits(combination_of(number)) for number in elsewhere):
        return Clause.FACES_ONLY_WILD
    return Clause.COMBINATION_AS_NAMED


_NEAREST_FIRST = (
    Clause.BEAT_HIGHER_TOP,
    Clause.BOMB_BEATS_LOWER,
    Clause.BOMB_ONLY_BY_BOMB,
    Clause.BEAT_SAME_SIZE,
    Clause.BEAT_SAME_KIND,
)


def _why_not(numbers: list[int], current: int) -> Clause:
    """The clause by which the reading that comes nearest does not beat the current combination."""
    on = combination_of(current)
    clauses = {judge(combination_of(number), on)[1] for number in numbers}
    return min(clauses, key=_NEAREST_FIRST.index)
