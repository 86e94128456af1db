"""Find decisions with one clearly best play, and what every other play costs.

Only the view of the seat to act is read, so a solution cannot depend on hidden cards. All plays are compared
in the same worlds. Each batch of worlds is weighed afresh, and the batches are the samples from which the
intervals are calculated.
"""

from dataclasses import dataclass, replace
from math import ceil, sqrt
from random import Random
from typing import Final

from engine.ai import easy
from engine.ai.arena import WITHIN_95
from engine.ai.interface import Budget
from engine.ai.network.arrays import Floats, np
from engine.ai.network.judging import judge
from engine.ai.network.weights import network_for
from engine.ai.search.halving import DEPTH, search
from engine.ai.search.likelihood import Worlds
from engine.ai.search.meter import Meter
from engine.ai.search.rollouts import AHEAD_AT_END, WHOLE_ROUNDS, look_ahead
from engine.ai.search.worlds import World
from engine.ai.turn import hand_to_act, legal_plays
from engine.cards.card import RANKS
from engine.cards.hand import FACES, RANK_MASK
from engine.combinations.plays import NO_PLAY, cards_in, number_in
from engine.rounds.turn import Expects
from engine.views.round_view import RoundView

# Fewer choices are no puzzle, and more are too many to know the cost of each.
FEWEST_CHOICES: Final = 4
MOST_PLAYS: Final = 40
# With more cards in all hands together, people cannot think a decision through.
MOST_CARDS: Final = 22
# How many points every other choice must be worse, also at the favourable end of its interval.
CLEAR_GAP: Final = 3.0
# Plays of the same combination and ranks that differ less than this in points are equally good.
EQUALLY_GOOD: Final = 1.0
# A play that is this many points worse in the first comparison is not compared again.
FAR_BEHIND: Final = 12.0
# The most plays that are compared at length, and the fewest, of different combinations.
MOST_COMPARED: Final = 10
FEWEST_COMPARED: Final = 3
BATCH_SIZE: Final = 40
# All choices are compared in these batches first. The worse ones are not compared again.
_FIRST_BATCHES: Final = 2
_FIRST_BATCH_SIZE: Final = 20
_FEWEST_BATCHES: Final = 8
# A quarter more worlds are weighed than drawn.
_SIMULATIONS_TO_WEIGH: Final = 3 * BATCH_SIZE


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How many simulations select a decision, and how many compare its plays, twice."""

    selection: int = 150
    simulations: int = 3_000


@dataclass(frozen=True, slots=True)
class Choice:
    """A play, or NO_PLAY for a pass, its cost in points, and half the width of the 95 % interval."""

    play: int
    cost: float
    interval: float


@dataclass(frozen=True, slots=True)
class Solution:
    """Every choice of a decision, best first, and a world that is likely from what the seat has seen."""

    choices: tuple[Choice, ...]
    world: World


def solve(view: RoundView, rng: Random, effort: Effort) -> Solution | None:
    """Return the solution of a decision, or None if it is trivial or no choice is clearly the best.

    The best choice has to be the best by far in two comparisons: one estimates what follows after some turns,
    as the level `hard` does, and the other plays every round to its end.
    """
    plays = _choices(view)
    if plays is None or not _seems_worthwhile(view, rng, effort.selection):
        return None
    first = _mean_leads(view, plays, _FIRST_BATCHES, rng, size=_FIRST_BATCH_SIZE)
    compared = _worth_comparing(plays, first.mean(axis=1))
    if compared is None or not _seems_clear(compared, _mean_leads(view, compared, _FIRST_BATCHES, rng)):
        return None
    batches = _batches(effort.simulations, len(compared))
    to_the_end = _mean_leads(view, compared, batches, rng)
    best = compared[int(to_the_end.mean(axis=1).argmax())]
    costs = _costs(compared, best, to_the_end)
    if cards_in(best) == view.hand or not _all_clear(costs, best) or _is_obvious(view, best):
        return None
    if not _all_clear(_costs(compared, best, _mean_leads(view, compared, batches, rng, depth=DEPTH)), best):
        return None
    others = [each for each in _costs(plays, best, first) if each.play not in compared]
    if any(each.cost < CLEAR_GAP for each in others):
        return None
    costs += others
    return Solution(_best_first(costs, best), _worlds(view, rng).draw(1)[0])


def _batches(simulations: int, plays: int) -> int:
    return max(_FEWEST_BATCHES, ceil(simulations / (BATCH_SIZE * plays)))


def compare(view: RoundView, plays: list[int], rng: Random, simulations: int) -> list[Choice]:
    """Return what each play costs compared with the first, in rounds that are played to their end."""
    return _costs(plays, plays[0], _mean_leads(view, plays, _batches(simulations, len(plays)), rng))


def _choices(view: RoundView) -> list[int] | None:
    """Return every choice, or None if they are too few or too many, or others are open."""
    if view.expects is Expects.AWARD or view.bets_open or sum(view.counts) > MOST_CARDS:
        return None
    plays = legal_plays(view)
    if len(plays) > MOST_PLAYS:
        return None
    if view.expects is Expects.PLAY_OR_PASS:
        plays.append(NO_PLAY)
    return plays if len({shape_of(play) for play in plays}) >= FEWEST_CHOICES else None


def shape_of(play: int) -> tuple[int, ...]:
    """Return what plays that differ in their suits only have in common: combination, wild cards and ranks."""
    cards = cards_in(play)
    return (number_in(play), cards & FACES, *((cards & RANK_MASK[rank]).bit_count() for rank in RANKS))


def _seems_worthwhile(view: RoundView, rng: Random, simulations: int) -> bool:
    """Return whether a short search finds a play that is ahead of those of other shapes and not obvious."""
    network = network_for(view.rules.players)
    meter = Meter(Budget(simulations=simulations), default_tries=simulations)
    tried = search(view, hand_to_act(view), judge(view, network), network, meter, rng)
    best, ahead = tried[0].play, tried[0].mean(AHEAD_AT_END)
    others = [each for each in tried if each.tries and shape_of(each.play) != shape_of(best)]
    if cards_in(best) == view.hand or _is_obvious(view, best):
        return False
    return all(ahead - each.mean(AHEAD_AT_END) >= CLEAR_GAP for each in others)


def _worlds(view: RoundView, rng: Random) -> Worlds:
    meter = Meter(Budget(simulations=_SIMULATIONS_TO_WEIGH), default_tries=_SIMULATIONS_TO_WEIGH)
    return Worlds(view, hand_to_act(view), network_for(view.rules.players), meter, rng)


def _mean_leads(
    view: RoundView,
    plays: list[int],
    batches: int,
    rng: Random,
    *,
    depth: int = WHOLE_ROUNDS,
    size: int = BATCH_SIZE,
) -> Floats:
    """Return the mean lead of each play (row) in each batch of worlds (column)."""
    network = network_for(view.rules.players)
    means = np.zeros((len(plays), batches), dtype=np.float32)
    for batch in range(batches):
        worlds = _worlds(view, rng).draw(size)
        tries = [(world, play) for play in plays for world in worlds]
        found = look_ahead(view, network, tries, depth, rng).found[:, AHEAD_AT_END]
        means[:, batch] = found.reshape(len(plays), size).mean(axis=1)
    return means


def _worth_comparing(plays: list[int], leads: Floats) -> list[int] | None:
    """Return the plays to compare at length, best first, or None if they are too many or too close."""
    order = np.argsort(-leads, kind="stable").tolist()
    best = float(leads[order[0]])
    others = [place for place in order if shape_of(plays[place]) != shape_of(plays[order[0]])]
    if best - leads[others[0]] < CLEAR_GAP:
        return None
    compared: list[int] = []
    for place in order:
        shapes = {shape_of(play) for play in compared}
        if best - leads[place] < FAR_BEHIND or len(shapes) < FEWEST_COMPARED:
            compared.append(plays[place])
    return compared if len(compared) <= MOST_COMPARED else None


def _seems_clear(plays: list[int], leads: Floats) -> bool:
    """Return whether the best play is ahead of those of other shapes, without regard to intervals."""
    best = plays[int(leads.mean(axis=1).argmax())]
    return all(
        each.cost >= CLEAR_GAP for each in _costs(plays, best, leads) if shape_of(each.play) != shape_of(best)
    )


def _all_clear(costs: list[Choice], best: int) -> bool:
    return all(_is_clear(each, best) for each in costs)


def _is_clear(choice: Choice, best: int) -> bool:
    """Return whether a choice is clearly worse than the best, or of the same shape and about as good."""
    if shape_of(choice.play) != shape_of(best):
        return choice.cost - choice.interval >= CLEAR_GAP
    return choice.cost < EQUALLY_GOOD or choice.cost > choice.interval


def _costs(plays: list[int], best: int, leads: Floats) -> list[Choice]:
    """Return the cost of each play compared with the best in the same batches."""
    behind = leads[plays.index(best)] - leads
    intervals = WITHIN_95 * behind.std(axis=1, ddof=1) / sqrt(behind.shape[1])
    found = zip(plays, behind.mean(axis=1).tolist(), intervals.tolist(), strict=True)
    return [Choice(play, cost, interval) for play, cost, interval in found]


def _best_first(costs: list[Choice], best: int) -> tuple[Choice, ...]:
    """Return the choices by cost; plays of the best shape that are about as good cost nothing."""
    rounded = [
        replace(each, cost=0.0)
        if each.cost < EQUALLY_GOOD and shape_of(each.play) == shape_of(best)
        else each
        for each in costs
    ]
    return tuple(sorted(rounded, key=lambda each: (each.play != best, each.cost)))


def _is_obvious(view: RoundView, best: int) -> bool:
    """Return whether `easy` and `medium`, which do not search, would both make a play of this shape."""
    shape, judged = shape_of(best), judge(view, network_for(view.rules.players))
    return (
        shape
        == shape_of(int(judged.plays[judged.best()]))
        == shape_of(easy.choose_play(view, hand_to_act(view)))
    )
