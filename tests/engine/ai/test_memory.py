"""Memory of a long-running AI worker must not grow."""

import gc
import tracemalloc

import pytest

from engine.ai.levels import LEVELS
from engine.combinations.memo import clear_all
from engine.rounds.state import RoundState
from engine.views.round_view import view_round
from tests.engine.ai.tables import BRIEFLY, start, turns
from tests.engine.randomness import seeded

DECISIONS = {"medium": 500, "hard": 60}


def views(count: int) -> list[RoundState]:
    found: list[RoundState] = []
    number = 0
    while len(found) < count:
        number += 1
        found += [state for state, _ in turns(start(number), LEVELS["easy"], seeded(number))]
    return found[:count]


@pytest.mark.parametrize("name", DECISIONS)
def test_memory_stays_flat_over_many_decisions(name: str) -> None:
    states = views(DECISIONS[name])
    held = []
    tracemalloc.start()
    for _ in range(3):
        for state in states:
            LEVELS[name](view_round(state, state.to_act), seeded(1), BRIEFLY)
        clear_all()
        gc.collect()
        held.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert held[2] - held[1] < 100_000
