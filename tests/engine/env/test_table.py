"""Every legal action of the engine can be taken by numbered actions, and no other."""

import numpy as np
import pytest

from engine.ai.turn import action_of, legal_plays
from engine.env.actions import ACTIONS, describe
from engine.env.table import Config, IllegalAction, Table
from engine.matches.apply import apply
from engine.rounds.actions import Action, Award, Bet, Pass
from engine.rounds.apply import apply as apply_in_round
from engine.rounds.turn import Expects
from engine.views.round_view import view_round
from tests.engine.randomness import seeded


def legal_actions(table: Table) -> list[Action]:
    """Return every legal action of the seat to act."""
    view = view_round(table.state.round, table.seat)
    found: list[Action] = [Bet(amount) for amount in view.bets_open]
    if view.expects is Expects.AWARD:
        return found + [Award(seat) for seat in view.awards]
    if view.expects is Expects.PLAY_OR_PASS:
        found.append(Pass())
    return found + [action_of(play) for play in legal_plays(view)]


@pytest.mark.parametrize(
    ("ruleset", "players"), (("classic", 2), ("classic", 3), ("booklet", 3), ("haggish", 2), ("deluxe", 3))
)
def test_every_legal_action_is_reached_by_its_steps(ruleset: str, players: int) -> None:
    rng = seeded(ruleset)
    config = Config(ruleset=ruleset, players=players)
    reached = 0
    for seed in range(3):
        table = Table(config, seed)
        while not table.is_over:
            for action in rng.sample(legal_actions(table), min(8, len(legal_actions(table)))):
                branch, after = Table(config, 0, table.state), apply_in(table, action)
                for step in branch.actions_of(action):
                    assert branch.mask()[step], describe(step)
                    branch.step(step)
                assert branch.state.round == after
                reached += 1
            table.step(rng.choice(np.flatnonzero(table.mask()).tolist()))
    assert reached > 200


def apply_in(table: Table, action: Action) -> object:
    """Return the round after an action; the engine's match would deal another one."""
    return apply_in_round(table.state.round, table.seat, action).state


@pytest.mark.parametrize("players", (2, 3))
def test_actions_outside_the_mask_are_refused_and_change_nothing(players: int) -> None:
    rng = seeded("refused")
    table = Table(Config(players=players), 4)
    for _ in range(60):
        if table.is_over:
            break
        mask, state, selection = table.mask(), table.state, table.selection
        for action in [*np.flatnonzero(mask == 0).tolist(), -1, ACTIONS]:
            with pytest.raises(IllegalAction):
                table.step(action)
        assert (table.state, table.selection) == (state, selection)
        table.step(rng.choice(np.flatnonzero(mask).tolist()))


def test_same_seed_gives_the_same_game() -> None:
    config = Config(players=3, rounds=2)
    assert Table(config, 8).state == Table(config, 8).state
    assert Table(config, 8).state != Table(config, 9).state


def test_cheapest_cards_are_chosen_if_cards_are_not() -> None:
    rng = seeded("cheapest")
    table = Table(Config(players=2, choose_cards=False), 2)
    while not table.is_over:
        table.step(rng.choice(np.flatnonzero(table.mask()).tolist()))
        assert not table.selection.combination


def test_episode_of_a_match_continues_over_rounds() -> None:
    rng = seeded("match")
    table = Table(Config(players=2, rounds=3), 2)
    rounds = set()
    while not table.is_over:
        rounds.add(table.state.round.number)
        table.step(rng.choice(np.flatnonzero(table.mask()).tolist()))
    assert rounds >= {1, 2, 3}
    assert table.state.result is not None


def test_state_of_the_environment_is_that_of_the_engine() -> None:
    table = Table(Config(players=2, rounds=2), 3)
    action = legal_actions(table)[-1]
    expected = apply(table.state, table.seat, action, dealing=table._dealing).state
    for step in table.actions_of(action):
        table.step(step)
    assert table.state == expected
