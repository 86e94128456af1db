"""Print how many steps a second random players take: `python -m engine.env.speed`.

A step is one numbered action with the observation and the mask that follow it. Steps of environments of other
games are not comparable: a play of several possible sets of cards takes several.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.env.aec import HaggisEnv
from engine.env.table import Config
from engine.env.vector import ProcessGames, VectorGames
from engine.rounds import position

ONE: Final = 1


class Speed(NamedTuple):
    """Steps for each second of the clock, and for each second of this process's CPU time."""

    wall: float
    cpu: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure each way to step games, and print a table."""
    parser = argparse.ArgumentParser(
        prog="python -m engine.env.speed",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--ruleset", default="classic")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=64, help="how many games are stepped together")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or ONE)
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each way is measured")
    options = parser.parse_args(arguments)
    config = Config(ruleset=options.ruleset, players=options.players)
    compiled = not position.__file__.endswith(".py")
    lines = [
        f"{'compiled' if compiled else 'pure Python'} engine, {config.ruleset}, {config.players} players",
        _line("PettingZoo, one game", 1, aec_speed(config, options.seconds)),
        _line(f"vector of {options.games}", 1, vector_speed(config, options.games, options.seconds)),
    ]
    if options.processes > ONE:
        games = options.games * options.processes
        speed = process_speed(config, games, options.processes, options.seconds)
        lines.append(_line(f"vector of {games}", options.processes, speed))
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def aec_speed(config: Config, seconds: float) -> Speed:
    """Return the steps a second of the PettingZoo environment."""
    environment, rng = HaggisEnv(config), np.random.default_rng(0)
    environment.reset(seed=0)

    def step() -> int:
        if not environment.agents or environment.terminations[environment.agent_selection]:
            environment.reset()
        mask = environment.observe(environment.agent_selection)["action_mask"]
        environment.step(int(rng.choice(np.flatnonzero(mask))))
        return 1

    return _measure(step, seconds)


def vector_speed(config: Config, games: int, seconds: float) -> Speed:
    """Return the steps a second of games in one process."""
    played, rng = VectorGames(config, games=games, seed=0), np.random.default_rng(0)

    def step() -> int:
        played.step(random_actions(played.masks, rng))
        return games

    return _measure(step, seconds)


def process_speed(config: Config, games: int, processes: int, seconds: float) -> Speed:
    """Return the steps a second of games in several processes."""
    rng = np.random.default_rng(0)
    with ProcessGames(config, games=games, processes=processes, seed=0) as played:

        def step() -> int:
            played.step(random_actions(played.masks, rng))
            return games

        return _measure(step, seconds)


def random_actions(masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a random legal action for each game."""
    chances = rng.random(masks.shape, np.float32) * masks
    drawn: NDArray[np.int64] = chances.argmax(axis=1)
    return drawn


def _measure(step: Callable[[], int], seconds: float) -> Speed:
    steps, began, cpu_began = 0, time.perf_counter(), time.process_time()
    while (took := time.perf_counter() - began) < seconds:
        steps += step()
    return Speed(steps / took, steps / (time.process_time() - cpu_began))


def _line(name: str, processes: int, speed: Speed) -> str:
    if processes > ONE:
        return f"{name:<24} {processes} processes {speed.wall:>10,.0f} steps/s"
    return f"{name:<24} 1 process   {speed.wall:>10,.0f} steps/s {speed.cpu:>10,.0f} steps/CPU-s"


if __name__ == "__main__":
    sys.exit(main())
