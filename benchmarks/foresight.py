"""How well a search predicts the outcome of plays, for different depths and numbers of worlds.

    python -m benchmarks.foresight --decisions 500 --depths 2 4 --worlds 48 160

In rounds of `medium`, the plays that its network prefers are evaluated twice: in worlds sampled as `hard`
does, and in the true world, which no seat knows, to the end of the round. The advantage of each play over the
network's own choice is compared: its correlation with the outcome, the slope (1 means that a search is
neither over- nor underconfident), and the gain of following the search. This shows in a few hundred decisions
what takes an arena a thousand deals.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from math import exp
from random import Random
from statistics import correlation, fmean, linear_regression, stdev
from typing import Final

from benchmarks.results import add_arguments, record_results
from engine.ai.arena import WITHIN_95, starts, without_bets
from engine.ai.interface import DEFAULT_BUDGET
from engine.ai.medium import choose
from engine.ai.network.arrays import Floats, np
from engine.ai.network.judging import judge
from engine.ai.network.model import Network
from engine.ai.network.weights import network_for
from engine.ai.search.halving import Tried, worth_trying
from engine.ai.search.likelihood import BATCH_SIZE, doubts_about
from engine.ai.search.rollouts import AHEAD_AT_END, WHOLE_ROUNDS, look_ahead
from engine.ai.search.worlds import World, sample_world, unseen_cards
from engine.ai.turn import hand_to_act
from engine.rounds.apply import apply
from engine.rounds.state import RoundState
from engine.rounds.turn import Expects
from engine.rulesets.catalogue import rule_set
from engine.views.round_view import RoundView, view_round

# Sample one in so many decisions between several plays, since those of one round are correlated.
SAMPLE_ONE_IN: Final = 4
MAX_PLAYS: Final = 4


@dataclass(frozen=True, slots=True)
class Foresight:
    """The expected and the actual advantage of each play over the network's choice, in one decision."""

    expected: list[float]
    actual: list[float]

    @property
    def gain(self) -> float:
        """The actual advantage of the play with the highest expected one."""
        best = max(range(len(self.expected)), key=lambda place: self.expected[place])
        return self.actual[best] if self.expected[best] > 0 else 0.0


def main(arguments: list[str] | None = None) -> None:
    """Evaluate the same decisions with each depth and number of worlds."""
    options = _parse_arguments(arguments)
    results_by_setting: dict[str, list[Foresight]] = {}
    for number, (state, view, candidates) in enumerate(_decisions(options.players, options.seed), start=1):
        for name, each in _evaluate(state, view, candidates, options, Random(number)):
            results_by_setting.setdefault(name, []).append(each)
        if number == options.decisions:
            break
    figures: dict[str, float] = {"players": options.players, "decisions": options.decisions}
    for name, results in results_by_setting.items():
        statistics = _statistics(results)
        print(
            name, " ".join(f"{statistic} {value:.3f}" for statistic, value in statistics.items()), flush=True
        )
        figures |= {f"{name}: {statistic}": value for statistic, value in statistics.items()}
    record_results(options, "foresight", figures, [])


def _decisions(players: int, seed: int) -> Iterator[tuple[RoundState, RoundView, list[Tried]]]:
    """Yield some decisions between several plays, in rounds of `medium` against itself."""
    rng = Random(seed)
    rules, network = rule_set("classic").at_table(players=players), network_for(players)
    while True:
        state = without_bets(next(starts(rules, 1, rng)))
        while (seat := state.to_act) is not None:
            view = view_round(state, seat)
            if view.expects is not Expects.AWARD and rng.random() * SAMPLE_ONE_IN < 1:
                candidates = worth_trying(judge(view, network))[:MAX_PLAYS]
                if len(candidates) > 1:
                    yield state, view, candidates
            state = apply(state, seat, choose(view, rng, DEFAULT_BUDGET)).state


def _evaluate(
    state: RoundState, view: RoundView, candidates: list[Tried], options: argparse.Namespace, rng: Random
) -> Iterator[tuple[str, Foresight]]:
    """Evaluate one decision with each depth and number of worlds."""
    network, hand = network_for(view.rules.players), hand_to_act(view)
    unseen = unseen_cards(view, hand)
    worlds = [sample_world(view, hand, unseen, rng) for _ in range(max(options.worlds))]
    doubts: list[float] = []
    for begin in range(0, len(worlds), BATCH_SIZE):
        doubts += doubts_about(view, worlds[begin : begin + BATCH_SIZE], network)
    truth = [World(state.position.hands, state.haggis)]
    actual = _advantages(_scores(view, network, candidates, truth, WHOLE_ROUNDS, rng)[:, 0])
    for depth in options.depths:
        ahead = _scores(view, network, candidates, worlds, depth, rng)
        for count in options.worlds:
            least = min(doubts[:count])
            weights = np.array([exp(least - doubt) for doubt in doubts[:count]], dtype=np.float32)
            expected = _advantages(ahead[:, :count] @ weights / weights.sum())
            yield f"depth {depth}, {count} worlds", Foresight(expected, actual)


def _scores(
    view: RoundView, network: Network, candidates: list[Tried], worlds: list[World], depth: int, rng: Random
) -> Floats:
    """Return the score difference after each play in each world."""
    tries = [(world, each.play) for each in candidates for world in worlds]
    found = look_ahead(view, network, tries, depth, rng).found[:, AHEAD_AT_END]
    return found.reshape(len(candidates), len(worlds))


def _advantages(ahead: Floats) -> list[float]:
    """Return the advantage of each other play over the first, which is the network's choice."""
    better: list[float] = (ahead[1:] - ahead[0]).tolist()
    return better


def _statistics(results: list[Foresight]) -> dict[str, float]:
    expected = [value for each in results for value in each.expected]
    actual = [value for each in results for value in each.actual]
    gains = [each.gain for each in results]
    return {
        "correlation": correlation(expected, actual),
        "slope": linear_regression(expected, actual).slope,
        "gain": fmean(gains),
        "gain, 95 %": WITHIN_95 * stdev(gains) / len(gains) ** 0.5,
    }


def _parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--decisions", type=int, default=500)
    parser.add_argument("--depths", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--worlds", type=int, nargs="+", default=[48, 160])
    parser.add_argument("--players", type=int, choices=(2, 3), default=2)
    parser.add_argument("--seed", type=int, default=1)
    add_arguments(parser)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
