"""What a search expects of plays, beside what comes of them: how far to look, and into how many worlds.

    python -m benchmarks.foresight --decisions 500 --depths 2 4 --worlds 48 160

At decisions of rounds that `medium` plays, the plays that its network likes best are tried in worlds as
`hard` draws them, and then in the world that is true, which no seat knows, to the end of the round. By how
much each play is better than the network's own choice is told three ways: how near what was expected is to
what came (correlation), how much of it came (slope: at 1 a search believes itself as much as it may), what
its choice gains. An arena needs a thousand deals for what shows here after some hundred decisions.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from math import exp
from random import Random
from statistics import correlation, fmean, linear_regression, stdev
from typing import Final

from benchmarks.results import add_arguments, keep
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

# Of the decisions that are none of course one in so many is looked at: those of one round hang together.
ONE_IN: Final = 4
MOST_PLAYS: Final = 4


@dataclass(frozen=True, slots=True)
class Foresight:
    """Of one decision: by how much plays were expected to be better than the network's choice, and were."""

    expected: list[float]
    came: list[float]

    @property
    def gained(self) -> float:
        """What came of making the play that was expected to be best."""
        best = max(range(len(self.expected)), key=lambda place: self.expected[place])
        return self.came[best] if self.expected[best] > 0 else 0.0


def main(arguments: list[str] | None = None) -> None:
    """Look at so many decisions, with each depth and number of worlds the same ones."""
    asked = _read(arguments)
    found: dict[str, list[Foresight]] = {}
    for number, (state, view, tried) in enumerate(_decisions(asked.players, asked.seed), start=1):
        for name, each in _looked_at(state, view, tried, asked, Random(number)):
            found.setdefault(name, []).append(each)
        if number == asked.decisions:
            break
    figures: dict[str, float] = {"players": asked.players, "decisions": asked.decisions}
    for name, seen in found.items():
        told = _told(seen)
        print(name, " ".join(f"{what} {value:.3f}" for what, value in told.items()), flush=True)
        figures |= {f"{name}: {what}": value for what, value in told.items()}
    keep(asked, "foresight", figures, [])


def _decisions(players: int, seed: int) -> Iterator[tuple[RoundState, RoundView, list[Tried]]]:
    """Some decisions between several plays, in rounds of `medium` against itself."""
    rng = Random(seed)
    rules, network = rule_set("classic").at_table(players=players), network_for(players)
    while True:
        state = without_bets(next(starts(rules, 1, rng)))
        while (seat := state.to_act) is not None:
            view = view_round(state, seat)
            if view.expects is not Expects.AWARD and rng.random() * ONE_IN < 1:
                tried = worth_trying(judge(view, network))[:MOST_PLAYS]
                if len(tried) > 1:
                    yield state, view, tried
            state = apply(state, seat, choose(view, rng, DEFAULT_BUDGET)).state


def _looked_at(
    state: RoundState, view: RoundView, tried: list[Tried], asked: argparse.Namespace, rng: Random
) -> Iterator[tuple[str, Foresight]]:
    """One decision, by every depth and number of worlds."""
    network, hand = network_for(view.rules.players), hand_to_act(view)
    unseen = unseen_cards(view, hand)
    worlds = [sample_world(view, hand, unseen, rng) for _ in range(max(asked.worlds))]
    doubts: list[float] = []
    for begin in range(0, len(worlds), BATCH_SIZE):
        doubts += doubts_about(view, worlds[begin : begin + BATCH_SIZE], network)
    truth = [World(state.position.hands, state.haggis)]
    came = _better(_ahead(view, network, tried, truth, WHOLE_ROUNDS, rng)[:, 0])
    for depth in asked.depths:
        ahead = _ahead(view, network, tried, worlds, depth, rng)
        for count in asked.worlds:
            least = min(doubts[:count])
            weights = np.array([exp(least - doubt) for doubt in doubts[:count]], dtype=np.float32)
            expected = _better(ahead[:, :count] @ weights / weights.sum())
            yield f"depth {depth}, {count} worlds", Foresight(expected, came)


def _ahead(
    view: RoundView, network: Network, tried: list[Tried], worlds: list[World], depth: int, rng: Random
) -> Floats:
    """How far ahead each play leaves the seat in each world."""
    tries = [(world, each.play) for each in tried for world in worlds]
    found = look_ahead(view, network, tries, depth, rng).found[:, AHEAD_AT_END]
    return found.reshape(len(tried), len(worlds))


def _better(ahead: Floats) -> list[float]:
    """By how much each of the other plays is better than the first, which the network would make."""
    better: list[float] = (ahead[1:] - ahead[0]).tolist()
    return better


def _told(seen: list[Foresight]) -> dict[str, float]:
    expected = [value for each in seen for value in each.expected]
    came = [value for each in seen for value in each.came]
    gains = [each.gained for each in seen]
    return {
        "correlation": correlation(expected, came),
        "slope": linear_regression(expected, came).slope,
        "gain": fmean(gains),
        "gain, 95 %": WITHIN_95 * stdev(gains) / len(gains) ** 0.5,
    }


def _read(arguments: list[str] | None) -> argparse.Namespace:
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
