"""The annulment of rated matches needs two operators."""

import pytest

from games.core.errors import Problem
from games.matches.models.match import Match, MatchStatus
from games.operators.models import OperatorAction
from games.operators.proposals import approve_annulment, propose_annulment, reject_annulment
from games.operators.services import Role, annul_match
from tests.support.factories import (
    logged_in_client,
    make_operator,
    make_player,
    raises_problem,
    start_match,
)


def start_rated_match() -> Match:
    return start_match(make_player(), make_player(), rated=True)


def test_one_operator_cannot_annul_a_rated_match(database: str) -> None:
    match, operator = start_rated_match(), make_player()
    with pytest.raises(Problem, match="second operator"):
        annul_match(operator=operator, match_id=match.pk, reason="a bug")
    propose_annulment(operator=operator, match_id=match.pk, reason="a bug")
    with pytest.raises(Problem, match="Another operator"):
        approve_annulment(operator=operator, match_id=match.pk, reason="yes")
    match.refresh_from_db()
    assert match.status == MatchStatus.ACTIVE


def test_second_operator_approves_and_the_audit_log_names_both(database: str) -> None:
    match, first, second = start_rated_match(), make_player(), make_player()
    propose_annulment(operator=first, match_id=match.pk, reason="a bug")
    approve_annulment(operator=second, match_id=match.pk, reason="seen it")
    match.refresh_from_db()
    assert match.status == MatchStatus.FINISHED
    entries = OperatorAction.objects.filter(match=match).order_by("pk")
    assert list(entries.values_list("operator", "action", "reason")) == [
        (first.pk, "propose_annulment", "a bug"),
        (second.pk, "annul", "seen it"),
    ]


def test_rejected_proposal_can_be_made_again(database: str) -> None:
    match, operator = start_rated_match(), make_player()
    propose_annulment(operator=operator, match_id=match.pk, reason="a bug")
    with pytest.raises(Problem, match="proposed already"):
        propose_annulment(operator=make_player(), match_id=match.pk, reason="the same bug")
    reject_annulment(operator=operator, match_id=match.pk, reason="a mistake")
    with raises_problem("not_found"):
        approve_annulment(operator=make_player(), match_id=match.pk, reason="yes")
    propose_annulment(operator=operator, match_id=match.pk, reason="a bug after all")


def test_finished_match_cannot_be_annulled_by_an_old_proposal(database: str) -> None:
    match = start_rated_match()
    propose_annulment(operator=make_player(), match_id=match.pk, reason="a bug")
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.CANCELLED, to_act=None, expects="")
    with raises_problem("match_not_active"):
        approve_annulment(operator=make_player(), match_id=match.pk, reason="yes")


def test_unrated_match_is_annulled_at_once(database: str) -> None:
    match = start_match(make_player(), make_player())
    with pytest.raises(Problem, match="at once"):
        propose_annulment(operator=make_player(), match_id=match.pk, reason="a bug")
    annul_match(operator=make_player(), match_id=match.pk, reason="a bug")
    match.refresh_from_db()
    assert match.status == MatchStatus.FINISHED


def test_pages_lead_through_the_two_steps(database: str) -> None:
    match = start_rated_match()
    page = f"/admin/games/match/{match.pk}/"
    first, second = (logged_in_client(make_operator(Role.OPERATOR)) for _ in range(2))
    assert first.post(f"{page}annul/", {"reason": "a bug"}).status_code == 404
    assert first.post(f"{page}propose-annulment/", {"reason": "a bug"}).status_code == 302
    own = first.post(f"{page}approve-annulment/", {"reason": "yes"})
    assert "Another operator has to approve" in own.content.decode()
    assert match.pk in second.get("/admin/").content.decode()
    assert "proposes to annul" in second.get(f"{page}change/").content.decode()
    assert second.post(f"{page}approve-annulment/", {"reason": "yes"}).status_code == 302
    match.refresh_from_db()
    assert match.status == MatchStatus.FINISHED
