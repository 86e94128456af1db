"""A PettingZoo environment (AEC) of the game, for two and three players and every rule set.

    from haggis_engine.env.aec import env

    environment = env(ruleset="classic", players=3)
    environment.reset(seed=1)
    for agent in environment.agent_iter():
        observation, reward, terminated, truncated, info = environment.last()
        done = terminated or truncated
        action = None if done else policy(observation["observation"], observation["action_mask"])
        environment.step(action)

Observations are described in `engine.env.observations`, actions in `engine.env.actions`.
"""

import sys
from functools import cache
from random import Random, SystemRandom
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from engine.combinations.kinds import combination_of
from engine.combinations.plays import number_in
from engine.env.actions import ACTIONS
from engine.env.observations import SIZE
from engine.env.table import Config, Mask, Table
from engine.views.match_view import view_match
from engine.views.serialization import serialize_cards

Observation = dict[str, Any]

ILLEGAL_REWARD: Final = -1.0
_SEEDS: Final = 2**63


class HaggisEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """The environment. `env` wraps it so that illegal actions end the episode; here they raise an error."""

    metadata: dict[str, Any] = {  # noqa: RUF012 -- as PettingZoo declares it
        "name": "haggis_v1",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, config: Config, render_mode: str | None = None) -> None:
        """Prepare the spaces; `reset` deals."""
        super().__init__()
        self.config: Final = config
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(config.players)]
        self.agents: list[str] = []
        self._seeds = Random(SystemRandom().randrange(_SEEDS))  # noqa: S311 -- seeds of games, not secrets
        self._table: Table | None = None

    @property
    def table(self) -> Table:
        """The game being played."""
        if self._table is None:
            raise RuntimeError("Call reset() first.")
        return self._table

    @cache  # noqa: B019 -- PettingZoo requires the same space each time; there are two or three agents
    def observation_space(self, agent: str) -> spaces.Space[Any]:  # noqa: ARG002 -- the same for all
        """Return the space of what an agent observes."""
        return spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, (SIZE,), np.float32),
                "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
            }
        )

    @cache  # noqa: B019 -- as above
    def action_space(self, agent: str) -> spaces.Space[Any]:  # noqa: ARG002 -- as above
        """Return the space of actions."""
        return spaces.Discrete(ACTIONS)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 -- PettingZoo's interface
        """Deal a new game. A seed decides this game and all that follow it."""
        if seed is not None:
            self._seeds = Random(seed)  # noqa: S311 -- as above
        self._table = Table(self.config, self._seeds.randrange(_SEEDS))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._table.seat]

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees; only the agent to act has actions in its mask."""
        seat = self.possible_agents.index(agent)
        found = np.zeros(SIZE, np.float32)
        self.table.write_observation(found, seat)
        return {"observation": found, "action_mask": self._mask(seat)}

    def step(self, action: int | None) -> None:
        """Take an action of the selected agent; raise `IllegalAction` if it is not in the mask."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("Only an agent whose game is over steps with None.")
        self._cumulative_rewards[agent] = 0.0
        rewards = self.table.step(int(action))
        self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
        if self.table.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[self.table.seat]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return the table as the agent to act sees it, or print it."""
        if self.render_mode is None:
            return None
        text = describe_table(self.table)
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(f"{text}\n")
        return None

    def close(self) -> None:
        """Release nothing: the environment has no resources."""

    def _mask(self, seat: int) -> Mask:
        if seat == self.table.seat:
            return self.table.mask()
        return np.zeros(ACTIONS, np.int8)


def describe_table(table: Table) -> str:
    """Return the table as the seat to act sees it, as lines of text."""
    view = view_match(table.state, None if table.is_over else table.seat)
    shown = view.round
    lines = [f"round {shown.number}, points {' '.join(map(str, view.totals))}"]
    for seat, count in enumerate(shown.counts):
        faces = " ".join(serialize_cards(shown.faces[seat] << 45))
        bet = "" if shown.bets[seat] is None else f", bet {shown.bets[seat]}"
        turn = " <" if seat == shown.to_act else ""
        lines.append(f"seat {seat}: {count} cards, {faces or 'no face cards'}{bet}{turn}")
    if shown.current:
        lines.append(f"to beat: {combination_of(number_in(shown.current))} of seat {shown.winner}")
    if shown.hand is not None:
        lines.append(f"hand: {' '.join(serialize_cards(shown.hand))}")
    return "\n".join(lines)


def raw_env(render_mode: str | None = None, **config: Any) -> HaggisEnv:  # noqa: ANN401 -- the members of Config
    """Return the environment without wrappers; see `Config` for the arguments."""
    return HaggisEnv(Config(**config), render_mode)


def env(render_mode: str | None = None, **config: Any) -> AECEnv:  # noqa: ANN401 -- as above
    """Return the environment as PettingZoo's own are: an illegal action ends the episode with reward -1."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(render_mode, **config), illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))
