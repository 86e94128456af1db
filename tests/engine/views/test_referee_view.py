import pytest

from engine.errors import Refused
from engine.rulebook import Clause
from engine.views.referee_view import view_finished_round
from tests.engine.rounds.tables import after, round_of


def test_a_running_round_is_not_revealed() -> None:
    with pytest.raises(Refused) as refused:
        view_finished_round(round_of("classic", "7r 9r", "8o 2o"))
    assert refused.value.rule is Clause.ROUND_RUNNING


def test_a_finished_round_reveals_hands_haggis_and_scores() -> None:
    begun = round_of("classic", "7r", "8o 2o", haggis="3y 5y")
    over = after(begun, "0 plays 7r")
    view = view_finished_round(over)
    assert view.hands == begun.dealt
    assert view.haggis == begun.haggis
    assert view.out == (0,)
    assert [line.seat for line in view.scores] == [0, 1]
    assert len(view.tricks) == 1
    assert view.bets == (None, None)
    assert (view.number, view.dealer, view.leader) == (1, None, 0)


def test_the_repr_of_a_round_or_position_shows_no_card() -> None:
    begun = round_of("classic", "7r 9r", "8o 2o", haggis="3y 5y")
    assert str(begun.haggis) not in repr(begun)
    assert str(begun.dealt[1]) not in repr(begun)
    assert "0x" in repr(begun.position) or "Position" in repr(begun.position)
