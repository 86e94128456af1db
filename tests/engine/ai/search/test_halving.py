from dataclasses import replace

import pytest

from engine.ai.interface import Budget
from engine.ai.levels import LEVELS
from engine.ai.network.judging import judge
from engine.ai.network.weights import network_for
from engine.ai.search.halving import MOST_PLAYS, search
from engine.ai.search.meter import Meter
from engine.rounds.actions import Play
from engine.views.round_view import view_round
from tests.engine.ai.tables import holding, start
from tests.engine.randomness import seeded


@pytest.mark.parametrize("players", (2, 3))
def test_the_better_half_is_tried_repeatedly(players: int) -> None:
    state = start(5, players=players)
    view = view_round(state, state.to_act)
    network = network_for(players)
    tried = search(
        view,
        view.hand or 0,
        judge(view, network),
        network,
        Meter(Budget(simulations=96), default_tries=1),
        seeded(1),
    )
    assert 1 < len(tried) <= MOST_PLAYS
    assert tried[0].tries == max(each.tries for each in tried) > min(each.tries for each in tried)
    assert sum(each.tries for each in tried) <= 96
    assert all(0 <= each.chance <= 1 for each in tried)


def test_a_budget_too_small_for_a_search_falls_back_to_the_network() -> None:
    state = start(5)
    view = view_round(state, state.to_act)
    network = network_for(2)
    judged = judge(view, network)
    tried = search(
        view, view.hand or 0, judged, network, Meter(Budget(simulations=1), default_tries=1), seeded(1)
    )
    assert tried[0].play == int(judged.plays[judged.best()])


def test_hard_goes_out_if_it_can() -> None:
    state = start(1)
    hands = ["9r Tr J", "2o 3g 4y 5r 6g 8o 8g"]
    state = holding(state, *(hands if state.to_act == 0 else hands[::-1]))
    state = replace(state, bets=(0, 0))
    action = LEVELS["hard"](view_round(state, state.to_act), seeded(1), Budget(simulations=64))
    assert isinstance(action, Play)
    assert len(action.cards) == 3
