"""The steps of a record are the states that its players were in, and their actions."""

from dataclasses import replace

import pytest

from engine.game import new_game
from engine.matches.apply import apply
from engine.records.record import Record
from engine.records.steps import InvalidRecord, steps_of
from tests.engine.randomness import seeded


def test_steps_are_the_states_before_the_actions_of_the_match() -> None:
    rng = seeded("steps")
    game = new_game("revised", players=3, seed="steps", rounds=3)
    states = []
    while not game.is_over:
        states.append(game.state)
        game = game.act(rng.choice(game.legal_actions()))
    steps = list(steps_of(game.record()))
    assert [(step.seat, step.state.round, step.state.totals) for step in steps] == [
        (state.round.to_act, state.round, state.totals) for state in states
    ]
    for step, after in zip(steps, [*states[1:], game.state], strict=True):
        acted = apply(step.state, step.seat, step.action, dealing=game.deals).state
        assert acted.totals == after.totals


def test_round_that_was_cut_short_has_steps() -> None:
    record = finished("cut short")
    played = record.rounds[0]
    short = replace(played, actions=played.actions[:4], out=(), scores=None, totals=None)
    steps = list(steps_of(replace(record, rounds=(short,), result=None)))
    assert [(step.seat, step.action) for step in steps] == [
        (recorded.seat, recorded.action) for recorded in played.actions[:4]
    ]


def test_invalid_record_has_no_steps() -> None:
    record = finished("invalid")
    played = record.rounds[0]
    wrong = replace(record, rounds=(replace(played, actions=played.actions[1:]),))
    with pytest.raises(InvalidRecord) as refused:
        steps_of(wrong)
    assert refused.value.verdict.where.startswith("/rounds/0/actions/")


def finished(seed: str) -> Record:
    """Return the record of a round in which everybody takes the first legal action."""
    game = new_game("classic", players=2, seed=seed, rounds=1)
    while not game.is_over:
        game = game.act(game.legal_actions()[0])
    return game.record()
