from dataclasses import replace

import pytest

from engine.rulesets.catalogue import RULE_SETS
from engine.scoring.first_out_bonus import first_out_bonus
from tests.engine.scoring.finished_rounds import PLAIN, PLAIN_OF_TWO, table

THREE_PLAYER_KEYS = [rules.key for rules in RULE_SETS if 3 in rules.players]


@pytest.mark.clause("classic.scoring.first-out-bonus")
def test_classic_gives_the_first_of_three_out_five_points() -> None:
    finished = replace(PLAIN, out=(1, 2))
    assert [first_out_bonus(table("classic"), finished, seat) for seat in range(3)] == [0, 5, 0]


@pytest.mark.clause("classic.scoring.first-out-bonus")
def test_with_two_players_nobody_gets_a_bonus() -> None:
    assert [first_out_bonus(table("classic", 2), PLAIN_OF_TWO, seat) for seat in range(2)] == [0, 0]


@pytest.mark.clause("revised.scoring.no-bonus")
@pytest.mark.parametrize("key", [key for key in THREE_PLAYER_KEYS if key != "classic"])
def test_other_rule_sets_have_no_bonus(key: str) -> None:
    assert [first_out_bonus(table(key), PLAIN, seat) for seat in range(3)] == [0, 0, 0]
