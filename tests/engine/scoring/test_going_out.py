from dataclasses import replace

import pytest

from engine.scoring.going_out import going_out
from tests.engine.scoring.finished_rounds import PLAIN, PLAIN_OF_TWO


@pytest.mark.clause(
    "common.scoring.five-a-card", "booklet.out.last-out-scores", "booklet.out.winner-out-scores"
)
def test_the_first_and_the_second_out_score_five_points_per_card_of_the_largest_hand() -> None:
    finished = replace(PLAIN, out=(2, 0), opposing=(11, 6))
    assert [going_out(finished, seat) for seat in range(3)] == [30, 0, 55]


@pytest.mark.clause("common.scoring.five-a-card")
def test_with_two_players_only_the_first_out_scores() -> None:
    finished = replace(PLAIN_OF_TWO, out=(1,), opposing=(17,))
    assert [going_out(finished, seat) for seat in range(2)] == [0, 85]
