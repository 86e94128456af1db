"""Revealing hands."""

import pytest

from games.core.errors import Problem
from games.matches.models.log import Round
from games.operators.models import OperatorAction, OperatorActionType
from games.operators.services import reveal_hands
from tests.support.factories import make_match, make_player, start_match


def test_reveal_returns_all_hands_and_is_recorded_in_the_audit_log(database: str) -> None:
    operator = make_player()
    match = start_match(make_player(), make_player())
    shown = reveal_hands(operator=operator, match_id=match.pk, reason="said that cards were missing")
    dealt = Round.objects.get(match=match).deal.reveal()
    assert shown["hands"] == dealt["hands"]
    assert shown["haggis"] == dealt["haggis"]
    entry = OperatorAction.objects.get()
    assert (entry.operator, entry.action, entry.match_id) == (operator, OperatorActionType.REVEAL, match.pk)
    assert entry.details == {"version": match.version, "round": 1}


def test_operator_cannot_reveal_hands_of_their_own_match(database: str) -> None:
    operator = make_player()
    match = start_match(operator, make_player())
    with pytest.raises(Problem, match="in which you play"):
        reveal_hands(operator=operator, match_id=match.pk, reason="curious")
    assert not OperatorAction.objects.exists()


def test_hands_of_an_open_match_cannot_be_revealed(database: str) -> None:
    match = make_match(make_player(), make_player())
    with pytest.raises(Problem) as raised:
        reveal_hands(operator=make_player(), match_id=match.pk, reason="curious")
    assert raised.value.code == "match_not_active"
