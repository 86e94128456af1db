"""Track what each seat has passed on in a round: evidence of what it does not have, or saves.

For sets of one, two and more cards, that is the lowest rank that it passed on; for everything else, the
number of passes.
"""

from typing import Final

from engine.combinations.kinds import KIND, TOP, WIDTH, Kind
from engine.combinations.plays import COMBINATION_AT, NO_PLAY
from engine.rounds.state import Entry
from engine.views.round_view import RoundView

Passed = tuple[int, int, int, int]

NEVER: Final = 14
NOTHING_PASSED: Final[Passed] = (NEVER, NEVER, NEVER, 0)


def after_pass(passed: tuple[Passed, ...], seat: int, current: int) -> tuple[Passed, ...]:
    """Return what was passed on, after this seat passes on the play `current`."""
    return (*passed[:seat], _updated(passed[seat], current >> COMBINATION_AT), *passed[seat + 1 :])


def passed_so_far(view: RoundView) -> tuple[Passed, ...]:
    """Return what each seat has passed on in all tricks of the round."""
    passed = (NOTHING_PASSED,) * view.rules.players
    for trick in view.tricks:
        passed = _after_trick(passed, trick.entries)
    return _after_trick(passed, view.trick)


def _after_trick(passed: tuple[Passed, ...], entries: tuple[Entry, ...]) -> tuple[Passed, ...]:
    current = NO_PLAY
    for seat, play in entries:
        if play == NO_PLAY:
            passed = after_pass(passed, seat, current)
        else:
            current = play
    return passed


def _updated(before: Passed, number: int) -> Passed:
    single, pair, more, other = before
    if KIND[number] is not Kind.SET:
        return (single, pair, more, other + 1)
    top, width = TOP[number], WIDTH[number]
    if width == 1:
        return (min(single, top), pair, more, other)
    return (single, min(pair, top), more, other) if width == 2 else (single, pair, min(more, top), other)
