"""The admin page of a match."""

from html import unescape

import pytest

from games.ai import services as ai_services
from games.ai.services import take_turn
from games.matches.models.log import Round
from games.matches.models.match import Match, MatchStatus
from games.operators.models import OperatorAction, OperatorActionType
from games.operators.services import Role
from tests.support.factories import logged_in_client, make_match, make_operator, make_player, start_match

_SUIT_SYMBOLS = {"r": "♥", "o": "★", "y": "▲", "g": "♣", "b": "●"}


def _page(match: Match) -> str:
    return f"/admin/games/match/{match.pk}/change/"


def _card_text(code: str) -> str:
    return code[0].replace("T", "10") + _SUIT_SYMBOLS[code[1]]


def _hidden_cards(match: Match) -> set[str]:
    deal = Round.objects.get(match=match).deal.reveal()
    return {_card_text(card) for hand in (*deal["hands"], deal["haggis"]) for card in hand if len(card) == 2}


def test_match_page_shows_seats_and_log_but_no_hidden_card(database: str) -> None:
    match = start_match(make_player("heather"), make_player("angus"), make_player("morag"))
    text = unescape(logged_in_client(make_operator(Role.OPERATOR)).get(_page(match)).content.decode())
    assert all(name in text for name in ("heather", "angus", "morag", "started"))
    assert not any(f">{card}<" in text for card in _hidden_cards(match))


def test_hands_are_revealed_once_with_a_reason(database: str) -> None:
    match = start_match(make_player(), make_player())
    client = logged_in_client(make_operator(Role.OPERATOR))
    text = unescape(client.post(_page(match), {"reason": "a player sees only twelve cards"}).content.decode())
    assert all(f">{card}<" in text for card in _hidden_cards(match))
    assert OperatorAction.objects.get(match=match).action == OperatorActionType.REVEAL
    again = unescape(client.get(_page(match)).content.decode())
    assert not any(f">{card}<" in again for card in _hidden_cards(match))


@pytest.mark.parametrize(
    ("role", "reason"),
    ((Role.OPERATOR, ""), (Role.MODERATOR, "curious")),
    ids=("an operator without a reason", "a moderator"),
)
def test_hands_are_revealed_only_to_operators_with_a_reason(database: str, role: Role, reason: str) -> None:
    match = start_match(make_player(), make_player())
    answer = logged_in_client(make_operator(role)).post(_page(match), {"reason": reason})
    text = unescape(answer.content.decode())
    assert not any(f">{card}<" in text for card in _hidden_cards(match))
    assert not OperatorAction.objects.filter(match=match).exists()


def test_match_page_shows_where_ais_failed_and_offers_to_retry_the_waiting_turn(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("the hand 7r")

    monkeypatch.setattr(ai_services, "choose_action", fail)
    match = start_match("easy", "easy")
    client = logged_in_client(make_operator(Role.OPERATOR))
    assert "Failed attempts" not in unescape(client.get(_page(match)).content.decode())
    for _ in range(3):
        take_turn(match_id=match.pk, version=1)
    take_turn(match_id=match.pk, version=2)
    text = unescape(client.get(_page(match)).content.decode())
    assert text.count("ZeroDivisionError") == 4
    assert "test_match_page.py" in text
    assert "the hand" not in text
    assert "fallback move" in text
    assert text.count('href="#attempts">3 failed attempts</a>') == 1
    assert text.count('<a href="../retry-ai/">') == 1  # for the turn that waits
    answer = client.post(f"/admin/games/match/{match.pk}/retry-ai/", {"reason": "mended"})
    assert (answer.status_code, Match.objects.get(pk=match.pk).attempts) == (302, 0)


def test_operator_cancels_an_open_match(database: str) -> None:
    match = make_match(make_player(), make_player())
    client = logged_in_client(make_operator(Role.OPERATOR))
    answer = client.post(f"/admin/games/match/{match.pk}/cancel/", {"reason": "an offensive name"})
    assert (answer.status_code, answer["Location"]) == (302, _page(match))
    assert Match.objects.get(pk=match.pk).status == MatchStatus.CANCELLED
    assert OperatorAction.objects.get(match=match).reason == "an offensive name"


def test_action_form_requires_a_reason(database: str) -> None:
    match = make_match(make_player(), make_player())
    client = logged_in_client(make_operator(Role.OPERATOR))
    assert client.post(f"/admin/games/match/{match.pk}/cancel/", {"reason": " "}).status_code == 200
    assert Match.objects.get(pk=match.pk).status == MatchStatus.OPEN


@pytest.mark.parametrize("action", ("cancel", "explode"))
def test_page_of_an_action_that_is_not_allowed_returns_404(database: str, action: str) -> None:
    active_match = start_match(make_player(), make_player())
    assert (
        logged_in_client(make_operator(Role.OPERATOR))
        .get(f"/admin/games/match/{active_match.pk}/{action}/")
        .status_code
        == 404
    )
    open_match = make_match(make_player(), make_player())
    assert (
        logged_in_client(make_operator(Role.MODERATOR))
        .get(f"/admin/games/match/{open_match.pk}/{action}/")
        .status_code
        == 404
    )


def test_log_is_paginated_and_an_invalid_position_shows_the_newest_entries(database: str) -> None:
    match = start_match(make_player(), make_player())
    client = logged_in_client(make_operator(Role.OPERATOR))
    assert "started" not in client.get(f"{_page(match)}?before=1").content.decode()
    assert "started" in client.get(f"{_page(match)}?before=nonsense").content.decode()


def test_page_of_an_unknown_match_returns_404(database: str) -> None:
    assert (
        logged_in_client(make_operator(Role.OPERATOR)).get("/admin/games/match/m_nothing/change/").status_code
        == 404
    )
