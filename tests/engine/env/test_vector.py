"""Games that are stepped together are the games that would be played one by one."""

import numpy as np
import pytest

from engine.env.actions import ACTIONS
from engine.env.observations import SIZE
from engine.env.speed import main, random_actions
from engine.env.table import Config, IllegalAction
from engine.env.vector import ProcessGames, VectorGames


def test_next_game_is_dealt_when_one_ends() -> None:
    games, rng = VectorGames(Config(players=3), games=4, seed=1), np.random.default_rng(1)
    ended = np.zeros(4, int)
    for _ in range(400):
        games.step(random_actions(games.masks, rng))
        ended += games.dones
        assert games.masks.any(axis=1).all()
        assert np.allclose(games.rewards.sum(axis=1), 0, atol=1e-6)
        assert (games.rewards[~games.dones] == 0).all()
    assert (ended >= 2).all()
    assert games.observations.shape == (4, SIZE)
    assert games.masks.shape == (4, ACTIONS)


def test_illegal_action_in_one_game_is_an_error() -> None:
    games = VectorGames(Config(), games=2, seed=1)
    with pytest.raises(IllegalAction):
        games.step(np.zeros(2, np.int64))


def test_processes_play_the_same_games_as_one_process() -> None:
    config = Config(players=2)
    here = [VectorGames(config, games=2, seed=seed) for seed in (5, 6)]
    rng = np.random.default_rng(2)
    with ProcessGames(config, games=4, processes=2, seed=5) as games:
        for _ in range(80):
            actions = random_actions(games.masks, rng)
            games.step(actions)
            here[0].step(actions[:2])
            here[1].step(actions[2:])
            for name in ("observations", "masks", "seats", "rewards", "dones"):
                both = np.concatenate([getattr(here[0], name), getattr(here[1], name)])
                assert np.array_equal(getattr(games, name), both), name


def test_error_of_a_process_is_raised() -> None:
    with ProcessGames(Config(), games=2, processes=1, seed=5) as games, pytest.raises(IllegalAction):
        games.step(np.zeros(2, np.int64))


def test_speed_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seconds", "0.05", "--games", "4", "--processes", "2", "--players", "3"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed[1:]] == ["PettingZoo,", "vector", "vector"]
    assert all("steps/s" in line for line in printed[1:])
