"""The arena: compare two levels on the same deals, each deal played once from every seat.

The luck of the deal outweighs most differences in skill, so the challenger plays every deal from each seat in
turn while the opponents hold the other hands. The sample is the deal, not the round.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import sqrt
from random import Random
from statistics import fmean, stdev

from engine.ai.interface import DEFAULT_BUDGET, Budget, Chooser
from engine.cards.hand import deck_mask
from engine.rounds.actions import Action
from engine.rounds.apply import apply
from engine.rounds.betting import place_bet
from engine.rounds.ending import score_round
from engine.rounds.playout import random_hands
from engine.rounds.state import RoundState, start_round, table_of
from engine.rulesets.model import TableRules
from engine.views.round_view import RoundView, view_round

# In a normal distribution, 95 % of values lie within this many standard deviations.
WITHIN_95 = 1.96


@dataclass(frozen=True, slots=True)
class Margin:
    """The challenger's lead over the mean of its opponents, in points per round, for each deal."""

    by_deal: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean lead in points per round."""
        return fmean(self.by_deal)

    @property
    def interval(self) -> float:
        """Half the width of the 95 % confidence interval around the mean."""
        return WITHIN_95 * stdev(self.by_deal) / sqrt(len(self.by_deal))


def starts(rules: TableRules, deals: int, rng: Random) -> Iterator[RoundState]:
    """Yield the starts of `deals` rounds, with each seat leading in turn."""
    for number in range(1, deals + 1):
        hands = random_hands(table_of(rules), rng)
        haggis = deck_mask(rules.players)
        for hand in hands:
            haggis &= ~hand
        leader = number % rules.players
        yield start_round(rules, number=number, dealer=None, leader=leader, dealt=hands, haggis=haggis)


def without_bets(start: RoundState) -> RoundState:
    """Return the round after everyone has declared not to bet."""
    for seat in range(start.rules.players):
        start = place_bet(start, seat, 0)
    return start


def never_betting(chooser: Chooser) -> Chooser:
    """Return the same level without the option to bet, as a baseline for the value of betting."""

    def choose(view: RoundView, rng: Random, budget: Budget) -> Action:
        return chooser(replace(view, bets_open=()), rng, budget)

    return choose


def play_round(
    start: RoundState, seats: tuple[Chooser, ...], rng: Random, budget: Budget = DEFAULT_BUDGET
) -> RoundState:
    """Return the round played to its end, with a level on each seat."""
    state = start
    while (seat := state.to_act) is not None:
        state = apply(state, seat, seats[seat](view_round(state, seat), rng, budget)).state
    return state


def contest(
    rounds: Iterable[RoundState],
    challenger: Chooser,
    opponent: Chooser,
    seed: int,
    budget: Budget = DEFAULT_BUDGET,
) -> Margin:
    """Return the challenger's margin against opponents of one level, playing every deal from every seat."""
    return Margin(tuple(margin_on(start, challenger, opponent, seed, budget) for start in rounds))


def margin_on(
    start: RoundState, challenger: Chooser, opponent: Chooser, seed: int, budget: Budget = DEFAULT_BUDGET
) -> float:
    """Return the margin on one deal; its randomness depends only on the seed and the deal's number."""
    rng = Random(f"{seed}/{start.number}")  # noqa: S311 -- contests must be reproducible
    players = start.rules.players
    margins = []
    for seat in range(players):
        seats = tuple(challenger if each == seat else opponent for each in range(players))
        points = [line.total for line in score_round(play_round(start, seats, rng, budget))]
        margins.append(points[seat] - (sum(points) - points[seat]) / (players - 1))
    return fmean(margins)
