"""Run PettingZoo's tests and the vectors with the installed engine."""

import numpy as np
from haggis_engine.env.aec import env
from haggis_engine.env.speed import random_actions
from haggis_engine.env.table import Config
from haggis_engine.env.vector import ProcessGames
from pettingzoo.test import api_test, seed_test


def main() -> None:
    """Print what works."""
    api_test(env(players=3), num_cycles=100)
    seed_test(lambda: env(players=2), num_cycles=50)
    rng = np.random.default_rng(1)
    with ProcessGames(Config(), games=4, processes=2, seed=1) as games:
        for _ in range(20):
            games.step(random_actions(games.masks, rng))
    print("environment works")


if __name__ == "__main__":
    main()
