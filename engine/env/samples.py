"""Observations and actions from records: what players saw, what they could do, and what they did.

    for sample in samples_of(load_record(data)):
        train(sample.observation, sample.mask, sample.action)

The numbers are those of the environment, so a policy that learns from records can play in it.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from engine.env.actions import ACTIONS
from engine.env.observations import SIZE, Vector
from engine.env.table import Config, Mask, Table
from engine.records.record import By, Record
from engine.records.steps import Step, steps_of


class Sample(NamedTuple):
    """One step: the round, the seat, what it saw, what it could do, what it did, and who acted for it."""

    round: int
    seat: int
    observation: Vector
    mask: Mask
    action: int
    by: By | None


def samples_of(record: Record) -> Iterator[Sample]:
    """Yield the steps of a record; raise `InvalidRecord` if it is not valid.

    A play with a choice of cards gives several steps, as in the environment. Bets out of turn are omitted,
    because the environment asks for bets in turn.
    """
    for step in steps_of(record):
        if step.seat == step.state.round.to_act:
            yield from _samples(step)


def _samples(step: Step) -> Iterator[Sample]:
    state = step.state
    config = Config(ruleset=state.rules.key, players=state.rules.players, options=state.rules.options)
    table = Table(config, seed=0, state=state)
    for action in table.actions_of(step.action):
        observation, mask = np.zeros(SIZE, np.float32), np.zeros(ACTIONS, np.int8)
        table.write_observation(observation, step.seat)
        table.write_mask(mask)
        yield Sample(state.round.number, step.seat, observation, mask, action, step.by)
        table.step(action)
