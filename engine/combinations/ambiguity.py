"""Decide which combination a player means by naming cards and, optionally, the combination.

Without a name, only readings that beat the current play count. If they all have one shape, the highest top is
taken; if several shapes remain, the play is ambiguous. A full or partial name first filters the possible
readings, so a player may also choose a lower one.
"""

from dataclasses import dataclass

from engine.combinations.beating import beats, judge
from engine.combinations.kinds import Combination, Kind, combination_of
from engine.combinations.readings import numbers_of, reading_of, violated_clause
from engine.combinations.rules import CombinationRules
from engine.errors import Refused
from engine.rulebook import Clause


@dataclass(frozen=True, slots=True)
class Named:
    """A combination as a player names it; an omitted part matches anything."""

    kind: Kind | None = None
    top: int | None = None
    width: int | None = None
    length: int | None = None

    def fits(self, combination: Combination) -> bool:
        """Return whether the combination matches the name."""
        return (
            self.kind in {None, combination.kind}
            and self.top in {None, combination.top}
            and self.width in {None, combination.width}
            and self.length in {None, combination.length}
        )


UNNAMED = Named()


def choose_reading(cards: int, named: Named, current: int, rules: CombinationRules) -> int:
    """Return the number of the combination that these cards are played as on `current` (0: none).

    Raise `Refused` with `not_a_combination`, `does_not_beat` or `ambiguous_combination`; the last one lists
    the readings to choose from.
    """
    fitting = _fitting(cards, named, rules)
    beating = [number for number in fitting if beats(number, current)]
    if not beating:
        raise Refused(
            "does_not_beat", "This does not beat the current play.", rule=_losing_clause(fitting, current)
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
    """Return the readings of the cards that match the name."""
    numbers = numbers_of(cards, rules)
    if not numbers:
        rule = violated_clause(cards, rules)
        detail = "These cards are no combination. {clause}"
        raise Refused("not_a_combination", detail, rule=rule, clause=rule.text)
    fitting = [number for number in numbers if named.fits(combination_of(number))]
    if not fitting:
        raise Refused(
            "not_a_combination",
            "These cards do not form the combination that you named.",
            rule=_mismatch_clause(cards, named, rules),
            readings=tuple(reading_of(cards, number) for number in numbers),
        )
    return fitting


def _mismatch_clause(cards: int, named: Named, rules: CombinationRules) -> Clause:
    """Return the clause that prevents the cards from being the named combination."""
    usual_numbers = numbers_of(cards, CombinationRules(rules.suits))
    if any(named.fits(combination_of(number)) for number in usual_numbers):
        return Clause.FACES_ONLY_WILD
    return Clause.COMBINATION_AS_NAMED


_NEAREST_FIRST = (
    Clause.BEAT_HIGHER_TOP,
    Clause.BOMB_BEATS_LOWER,
    Clause.BOMB_ONLY_BY_BOMB,
    Clause.BEAT_SAME_SIZE,
    Clause.BEAT_SAME_KIND,
)


def _losing_clause(numbers: list[int], current: int) -> Clause:
    """Return the clause by which the closest reading fails to beat the current combination."""
    on = combination_of(current)
    clauses = {judge(combination_of(number), on)[1] for number in numbers}
    return min(clauses, key=_NEAREST_FIRST.index)
