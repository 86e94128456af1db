from dataclasses import replace

import pytest

from engine.ai.network.arrays import np
from engine.ai.network.bets import at_stake, best_bet, lost_part, wins_on_points
from engine.rulesets.catalogue import rule_set
from engine.views.round_view import RoundView, view_round
from tests.engine.ai.tables import start, start_at


def view(*, players: int = 2, key: str = "classic", bets: tuple[int | None, ...] | None = None) -> RoundView:
    state = start(1, players=players, key=key)
    seen = view_round(state, state.to_act)
    return seen if bets is None else replace(seen, bets=bets)


def seated(amount: int, other: int | None) -> RoundView:
    """Return the view of the seat to act, which has bet `amount`, with two players."""
    seen = view()
    return replace(seen, bets=(amount, other) if seen.seat == 0 else (other, amount))


@pytest.mark.parametrize(("chance", "amount"), ((0.2, 0), (0.49, 0), (0.51, 30), (0.9, 30)))
def test_two_players_make_the_highest_bet_above_an_even_chance(chance: float, amount: int) -> None:
    assert best_bet(view(), chance=chance, points=0) == amount


def test_three_players_bet_at_lower_odds_if_only_one_opponent_collects() -> None:
    collected_by_both = view(players=3)
    collected_by_one = view(players=3, bets=(30, 30, 30))
    assert lost_part(collected_by_both, 0) == 1
    assert lost_part(collected_by_one, 0) == 0.5
    assert best_bet(collected_by_both, chance=0.4, points=0) == 0
    assert best_bet(collected_by_one, chance=0.4, points=0) == 30


def test_bets_in_thirds_are_made_at_lower_odds() -> None:
    rules = rule_set("revised").at_table(players=3, options={"bet_split": "thirds"})
    state = start_at(rules, 1)
    assert best_bet(view_round(state, state.to_act), chance=0.3, points=0) == 30


@pytest.mark.parametrize(("points", "amount"), ((0.0, 5), (18.0, 15), (60.0, 30)))
def test_the_amount_of_a_bet_on_points_depends_on_the_expected_points(points: float, amount: int) -> None:
    assert best_bet(view(key="booklet"), chance=0.5, points=points) <= amount
    assert wins_on_points(points, 5) > wins_on_points(points, 30)


def test_placed_bets_raise_the_value_of_going_out_first() -> None:
    chances, points = np.array([0.2, 0.8], dtype=np.float32), np.zeros(2, dtype=np.float32)
    assert at_stake(seated(0, 0), chances, points).tolist() == [0, 0]
    own = at_stake(seated(30, 0), chances, points)
    assert own[1] - own[0] == pytest.approx(0.6 * 60, abs=0.01)
    opponents = at_stake(seated(0, 15), chances, points)
    assert opponents[1] - opponents[0] == pytest.approx(0.6 * 30, abs=0.01)
