"""Random rounds of the engine and of two other card game libraries.

    python -m benchmarks.contenders haggis --seconds 2

This prints one line of JSON. Each contender runs in a process of its own, and only its CPU time counts. The
other libraries play dou dizhu, a climbing game for three: RLCard in Python, OpenSpiel in C++ called from
Python.
"""

import argparse
import importlib.util
import json
import random
from collections.abc import Callable
from time import process_time
from typing import Any, Final, NamedTuple

from engine.rounds import playout
from engine.rounds.playout import random_hands, random_step
from engine.rounds.position import Table, first_position


class Tally(NamedTuple):
    """The rounds, their decisions and the CPU seconds."""

    rounds: int
    decisions: int
    seconds: float


def run_for(play_round: Callable[[], tuple[int, float]], seconds: float) -> Tally:
    """Play rounds for this many CPU seconds.

    `play_round` returns the number of decisions and the seconds that do not count.
    """
    rounds = decisions = 0
    excluded_seconds = 0.0
    started = process_time()
    while process_time() - started < seconds:
        round_decisions, excluded = play_round()
        rounds += 1
        decisions += round_decisions
        excluded_seconds += excluded
    return Tally(rounds, decisions, process_time() - started - excluded_seconds)


def haggis(players: int, seconds: float, warm_up: int) -> dict[str, Any]:
    """Play random rounds of Haggis including the deal, after a warm-up that fills the caches."""
    table = Table(players)
    rng = random.Random(1)

    def play_round() -> tuple[int, float]:
        position = first_position(table, random_hands(table, rng), 0)
        decisions = 0
        while position.to_act >= 0:
            position = random_step(position, rng)
            decisions += 1
        return decisions, 0.0

    for _ in range(warm_up):
        play_round()
    is_compiled = not playout.__file__.endswith(".py")
    return {"build": "compiled" if is_compiled else "plain", **run_for(play_round, seconds)._asdict()}


def rlcard(seconds: float) -> dict[str, Any]:
    """Play RLCard's dou dizhu without its environment: it only lists the legal actions."""
    from rlcard.games.doudizhu.game import DoudizhuGame  # noqa: PLC0415 -- optional

    def play_round() -> tuple[int, float]:
        game = DoudizhuGame()
        state, _ = game.init_game()
        decisions = 0
        while not game.is_over():
            state, _ = game.step(random.choice(state["actions"]))
            decisions += 1
        return decisions, 0.0

    play_round()
    return run_for(play_round, seconds)._asdict()


def rlcard_environment(seconds: float) -> dict[str, Any]:
    """Play RLCard's dou dizhu as documented, with an environment and random agents."""
    import rlcard as library  # noqa: PLC0415 -- optional
    from rlcard.agents import RandomAgent  # noqa: PLC0415 -- optional

    environment = library.make("doudizhu")
    environment.set_agents([RandomAgent(num_actions=environment.num_actions) for _ in range(3)])

    def play_round() -> tuple[int, float]:
        trajectories, _ = environment.run(is_training=False)
        # A trajectory alternates states and actions and ends with a state.
        return sum(len(trajectory) // 2 for trajectory in trajectories), 0.0

    play_round()
    return run_for(play_round, seconds)._asdict()


def open_spiel(seconds: float, *, dealing: str) -> dict[str, Any]:
    """Play OpenSpiel's dou dizhu, with every step called from Python.

    A deal is 52 draws. `documented` draws from the chance outcomes as the documentation does; `quick` draws
    from the legal actions, which are the same here but faster; `uncounted` excludes the deal.
    """
    import pyspiel  # noqa: PLC0415 -- optional

    game = pyspiel.load_game("dou_dizhu")
    rng = random.Random(1)

    def draw(state: Any) -> int:  # noqa: ANN401 -- untyped
        if dealing == "documented":
            outcomes = [outcome for outcome, _ in state.chance_outcomes()]
        else:
            outcomes = state.legal_actions()
        return int(outcomes[int(rng.random() * len(outcomes))])

    def play_round() -> tuple[int, float]:
        started = process_time()
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(draw(state))
        dealt = process_time() - started if dealing == "uncounted" else 0.0
        decisions = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(rng.random() * len(actions))])
            decisions += 1
        return decisions, dealt

    play_round()
    return run_for(play_round, seconds)._asdict()


RIVALS: Final[dict[str, Callable[[float], dict[str, Any]]]] = {
    "rlcard": rlcard,
    "rlcard, its environment": rlcard_environment,
    "open_spiel": lambda seconds: open_spiel(seconds, dealing="quick"),
    "open_spiel, dealing as documented": lambda seconds: open_spiel(seconds, dealing="documented"),
    "open_spiel, dealing uncounted": lambda seconds: open_spiel(seconds, dealing="uncounted"),
}
_LIBRARY: Final = {"rlcard": "rlcard", "open_spiel": "pyspiel"}


def is_installed(rival: str) -> bool:
    """Return whether the library of a contender is installed."""
    library, _, _ = rival.partition(",")
    return importlib.util.find_spec(_LIBRARY[library]) is not None


def main() -> None:
    """Run the contender that the command line names."""
    parser = argparse.ArgumentParser(description="Play random rounds for some CPU time.")
    parser.add_argument("contender", choices=("haggis", *RIVALS))
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--players", type=int, choices=(2, 3), default=2)
    parser.add_argument("--warm-up", type=int, default=0, help="rounds of Haggis that do not count")
    options = parser.parse_args()
    if options.contender == "haggis":
        print(json.dumps(haggis(options.players, options.seconds, options.warm_up)))
    else:
        print(json.dumps(RIVALS[options.contender](options.seconds)))


if __name__ == "__main__":
    main()
