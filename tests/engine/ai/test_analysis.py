from engine.ai.analysis import analyse
from engine.ai.network.judging import judge
from engine.ai.network.weights import network_for
from engine.combinations.plays import NO_PLAY, cards_in
from engine.combinations.rules import FOUR_SUITS
from engine.plays.leading import leads
from engine.views.round_view import RoundView, view_round
from tests.engine.ai.tables import another_world, holding, start
from tests.engine.randomness import seeded


def ready_to_go_out() -> RoundView:
    """Return the view of a leader who can go out at once with a run."""
    state = start(1)
    hands = ["8r 9r Tr", "2o 3g 4y 5r 6g 8o J Q K"]
    state = holding(state, *(hands if state.to_act == 0 else hands[::-1]))
    return view_round(state, state.to_act)


def test_missing_a_chance_to_go_out_costs_points() -> None:
    view = ready_to_go_out()
    single = next(play for play in leads(view.hand or 0, FOUR_SUITS) if cards_in(play).bit_count() == 1)
    found = analyse(view, single, seeded(1))
    assert cards_in(found.best) == view.hand
    assert found.cost > 5
    assert found.best_chance == 1 > found.chance


def test_the_best_play_costs_nothing() -> None:
    view = ready_to_go_out()
    out = next(play for play in leads(view.hand or 0, FOUR_SUITS) if cards_in(play) == view.hand)
    found = analyse(view, out, seeded(1))
    assert (found.best, found.cost, found.chance) == (out, 0.0, 1.0)


def test_hidden_cards_do_not_change_the_analysis() -> None:
    state = start(4)
    other = another_world(state, seeded(9))
    views = view_round(state, state.to_act), view_round(other, other.to_act)
    judged = judge(views[0], network_for(2))
    made = int(judged.plays[0])
    assert made != NO_PLAY
    assert analyse(views[0], made, seeded(2)) == analyse(views[1], made, seeded(2))
