"""Looking into hands."""

import pytest

from games.core.errors import Problem
from games.matches.models.log import Round
from games.operators.models import OperatorAction, OperatorActionType
from games.operators.services import reveal_hands
from tests.support.factories import make_match, make_player, start_match


def test_every_hand_is_shown_and_the_look_is_kept(database: str) -> None:
    operator = make_player()
    match = start_match(make_player(), make_player())
    shown = reveal_hands(operator=operator, match_id=match.pk, reason="said that cards were missing")
    dealt = Round.objects.get(match=match).deal.reveal()
    assert shown["hands"] == dealt["hands"]
    assert shown["haggis"] == dealt["haggis"]
    kept = OperatorAction.objects.get()
    assert (kept.operator, kept.deed, kept.match_id) == (operator, OperatorActionType.REVEAL, match.pk)
    assert kept.details == {"version": match.version, "round": 1}


def test_an_operator_does_not_look_into_the_hands_of_an_own_match(database: str) -> None:
    operator = make_player()
    match = start_match(operator, make_player())
    with pytest.raises(Problem, match="Whoever plays"):
        reveal_hands(operator=operator, match_id=match.pk, reason="curious")
    assert not OperatorAction.objects.exists()


def test_nothing_is_shown_where_nothing_is_played(database: str) -> None:
    match = make_match(make_player(), make_player())
    with pytest.raises(Problem) as refused:
        reveal_hands(operator=make_player(), match_id=match.pk, reason="curious")
    assert refused.value.code == "match_not_active"
