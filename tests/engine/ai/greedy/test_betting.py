import pytest

from engine.ai.greedy.betting import choose_bet
from engine.rulesets.catalogue import RULE_SETS
from engine.views.round_view import view_round
from tests.engine.ai.tables import holding, start

GROUPS = {
    4: "2r 3r 4r 5r 6r 8o 8g 8y Ty Tg 2g J Q K",
    6: "2r 3r 4r 5r 8o 8g 4o Ty 7g 2g J Q K",
    7: "2r 3r 4r 5r 8o 8g 4o 5y Ty 7g 2g J Q K",
    9: "2r 3o 4g 5r 6y 7o 9g Ty 8r J Q K",
}


def bet(number_of_groups: int, *, players: int = 2, key: str = "classic") -> int:
    state = holding(start(1, players=players, key=key), *[GROUPS[number_of_groups]] * players)
    view = view_round(state, state.to_act)
    return choose_bet(view, view.hand or 0)


def test_a_hand_of_few_groups_makes_the_highest_bet() -> None:
    assert bet(4) == bet(6) == 30


def test_a_fair_hand_makes_a_small_bet() -> None:
    assert bet(7) == 15


def test_a_poor_hand_does_not_bet() -> None:
    assert bet(9) == 0


def test_three_players_need_a_better_hand_to_bet() -> None:
    assert (bet(4, players=3), bet(6, players=3), bet(7, players=3)) == (30, 15, 0)


def test_a_bet_on_points_is_made_with_any_hand() -> None:
    assert bet(4, key="booklet") == bet(9, key="booklet") == 15


@pytest.mark.parametrize("key", [rules.key for rules in RULE_SETS])
def test_every_bet_is_an_amount_of_the_rule_set(key: str) -> None:
    allowed = {0, *next(rules for rules in RULE_SETS if rules.key == key).bet_amounts}
    assert {bet(count, key=key) for count in GROUPS} <= allowed
