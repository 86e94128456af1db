"""Records become what a player saw, could do and did, in the numbers of the environment."""

from random import Random

import numpy as np
import pytest

from engine.ai.interface import DEFAULT_BUDGET
from engine.ai.levels import level
from engine.env.actions import FIRST_CARD
from engine.env.samples import samples_of
from engine.env.table import Config, Table
from engine.game import Game, new_game
from engine.records.record import Record
from engine.records.steps import steps_of
from engine.rounds.actions import Bet
from tests.engine.randomness import seeded


def played(ruleset: str, players: int, rng: Random) -> Record:
    """Return the record of a match between random players."""
    game: Game = new_game(ruleset, players=players, seed=str(rng.random()), rounds=2)
    while not game.is_over:
        game = game.act(level("random")(game.round_view(), rng, DEFAULT_BUDGET))
    return game.record()


@pytest.mark.parametrize(("ruleset", "players"), (("classic", 2), ("revised", 3), ("deluxe", 3)))
def test_samples_are_legal_and_play_the_record_again(ruleset: str, players: int) -> None:
    record = played(ruleset, players, seeded(ruleset))
    samples = list(samples_of(record))
    for sample in samples:
        assert sample.mask[sample.action]
        assert 0 <= sample.observation.min() <= sample.observation.max() <= 1
    actions = [action for each in record.rounds for action in each.actions]
    assert len([sample for sample in samples if sample.action < FIRST_CARD]) == len(actions)


def test_taking_the_samples_in_the_environment_gives_the_same_scores() -> None:
    record = played("classic", 2, seeded("again"))
    first = [sample for sample in samples_of(record) if sample.round == 1]
    table = Table(Config(), 0, next(steps_of(record)).state)
    for sample in first:
        found = np.zeros_like(sample.observation)
        table.write_observation(found, sample.seat)
        # An episode of one round knows no number of rounds.
        assert np.array_equal(found, sample.observation)
        table.step(sample.action)
    assert table.is_over
    assert table.state.totals == record.rounds[0].totals


def test_bets_out_of_turn_are_left_out() -> None:
    game = new_game("classic", players=2, seed="out of turn", rounds=1)
    waiting = 1 - (game.to_act or 0)
    game = game.act(Bet(15), seat=waiting)
    rng = seeded("rest")
    while not game.is_over:
        game = game.act(rng.choice([each for each in game.legal_actions() if not isinstance(each, Bet)]))
    assert all(sample.action not in {1, 2, 3, 4} for sample in samples_of(game.record()))
