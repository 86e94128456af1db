"""The environment keeps PettingZoo's rules, for every rule set and number of players."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from engine.env.actions import ACTIONS, FIRST_CARD, FIRST_PLAY
from engine.env.aec import HaggisEnv, env, raw_env
from engine.env.observations import SIZE
from engine.env.table import Config, IllegalAction

CONFIGS: list[dict[str, Any]] = [
    {"ruleset": "classic"},
    {"ruleset": "classic", "players": 3},
    {"ruleset": "revised", "players": 3, "options": {"bet_split": "thirds"}, "reward": "points"},
    {"ruleset": "booklet", "players": 3, "choose_cards": False},
    {"ruleset": "haggish", "target_score": 60, "reward": "win"},
    {"ruleset": "deluxe", "players": 3, "rounds": 2, "options": {"bomb_capture": "tournament"}},
]


@pytest.mark.parametrize(
    "config", CONFIGS, ids=lambda config: f"{config['ruleset']}-{config.get('players', 2)}"
)
# PettingZoo warns of every observation with an action mask: its own environments get the same warnings.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
def test_environment_passes_the_tests_of_pettingzoo(config: dict[str, Any]) -> None:
    api_test(env(**config), num_cycles=300)
    seed_test(lambda: env(**config), num_cycles=100)


def test_rewards_of_a_round_sum_to_zero_and_end_it() -> None:
    environment, rng = raw_env(players=3), np.random.default_rng(5)
    environment.reset(seed=5)
    total = play_randomly(environment, rng)
    assert sum(total.values()) == pytest.approx(0)
    assert any(total.values())
    assert all(environment.terminations.values())


@pytest.mark.parametrize("players", (2, 3))
def test_winner_of_a_match_is_rewarded(players: int) -> None:
    environment, rng = raw_env(players=players, target_score=50, reward="win"), np.random.default_rng(7)
    environment.reset(seed=7)
    total = play_randomly(environment, rng)
    result = environment.table.state.result
    assert result is not None
    assert total == {f"seat_{seat}": 1.0 if seat in result.winners else -1.0 for seat in range(players)}


def test_illegal_action_is_an_error_or_ends_the_wrapped_game() -> None:
    environment = raw_env()
    environment.reset(seed=1)
    with pytest.raises(IllegalAction, match="pass is not legal now"):
        environment.step(0)
    wrapped = env()
    wrapped.reset(seed=1)
    agent = wrapped.agent_selection
    wrapped.step(0)
    assert all(wrapped.terminations.values())
    assert wrapped.rewards[agent] == -1


def test_play_with_a_choice_of_cards_takes_several_steps_of_one_agent() -> None:
    environment, rng = HaggisEnv(Config(players=3)), np.random.default_rng(11)
    chosen = 0
    for seed in range(20):
        environment.reset(seed=seed)
        while not all(environment.terminations.values()):
            agent, mask = (
                environment.agent_selection,
                environment.observe(environment.agent_selection)["action_mask"],
            )
            choosing = bool(environment.table.selection.combination)
            legal = np.flatnonzero(mask)
            assert all(choosing == (action >= FIRST_CARD) for action in legal)
            environment.step(int(rng.choice(legal)))
            if environment.table.selection.combination:
                assert environment.agent_selection == agent
                chosen += 1
    assert chosen > 100


def test_only_the_agent_to_act_has_actions() -> None:
    environment = raw_env(players=3)
    environment.reset(seed=3)
    for agent in environment.agents:
        seen = environment.observe(agent)
        assert seen["observation"].shape == (SIZE,)
        assert seen["action_mask"].shape == (ACTIONS,)
        assert seen["action_mask"].any() == (agent == environment.agent_selection)
    mask = environment.observe(environment.agent_selection)["action_mask"]
    assert mask[FIRST_PLAY:FIRST_CARD].any()


def test_table_is_rendered_for_the_agent_to_act() -> None:
    environment = raw_env(render_mode="ansi")
    environment.reset(seed=2)
    lines = str(environment.render()).splitlines()
    assert lines[0] == "round 1, points 0 0"
    assert lines[-1].startswith("hand: ")
    assert len(lines[-1].split()) == 18


def play_randomly(environment: HaggisEnv, rng: np.random.Generator) -> dict[str, float]:
    """Play a game to its end; return the sum of the rewards of each agent."""
    total = dict.fromkeys(environment.possible_agents, 0.0)
    while not all(environment.terminations.values()):
        mask = environment.observe(environment.agent_selection)["action_mask"]
        environment.step(int(rng.choice(np.flatnonzero(mask))))
        for agent, reward in environment.rewards.items():
            total[agent] += reward
    return total
