from dataclasses import replace

import pytest

from engine.ai.greedy.opponents import fewest_opposing_cards
from engine.views.round_view import view_round
from tests.engine.ai.tables import start


@pytest.mark.parametrize(
    ("counts", "fewest"), (((2, 5, 9), 5), ((2, 9, 5), 5), ((2, 0, 9), 9), ((2, 2, 2), 2))
)
def test_the_smallest_opposing_hand_counts_but_not_that_of_a_player_who_is_out(
    counts: tuple[int, ...], fewest: int
) -> None:
    view = replace(view_round(start(1, players=3), 0), counts=counts)
    assert fewest_opposing_cards(view) == fewest
