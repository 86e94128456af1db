"""Tests of unsubscribing from e-mails, by the page or by the mail program."""

from typing import Any

import pytest
from django.test import Client

from games.identity.models import Player
from games.notifications.mail import unsubscribe_token
from tests.support.factories import make_notified_player


def unsubscribe_url(player: Player, *kinds: str) -> str:
    return f"/unsubscribe?token={unsubscribe_token(player, kinds)}"


def preferences(player: Player) -> Any:
    return Player.objects.get(pk=player.pk).notifications


def test_get_and_head_do_not_unsubscribe(database: str) -> None:
    player = make_notified_player("your_turn", "match_end")
    answers = [ask(unsubscribe_url(player, "your_turn")) for ask in (Client().get, Client().head)]
    assert [(each.status_code, each["Cache-Control"]) for each in answers] == [(200, "no-store")] * 2
    assert preferences(player) == {"email": ["your_turn", "match_end"]}


def test_one_click_unsubscribe_needs_neither_cookie_nor_csrf_token(database: str) -> None:
    player = make_notified_player("your_turn", "match_end")
    client = Client(enforce_csrf_checks=True)
    answer = client.post(unsubscribe_url(player, "your_turn"), {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert not answer.cookies
    assert preferences(player) == {"email": ["match_end"]}


def test_the_page_offers_to_unsubscribe_from_all_emails(database: str) -> None:
    player = make_notified_player("your_turn", "match_end")
    page = Client().get(unsubscribe_url(player, "your_turn")).content.decode()
    assert "your turns" in page
    assert 'name="everything"' in page
    Client().post(unsubscribe_url(player, "your_turn"), {"everything": ""})
    assert preferences(player) == {"email": []}


@pytest.mark.parametrize("query", ("", "?token=", "?token=x", "?token=%00", "?token=W10:x"))
@pytest.mark.parametrize("method", ("GET", "POST"))
def test_an_invalid_link_returns_404(database: str, query: str, method: str) -> None:
    answer = Client().generic(method, f"/unsubscribe{query}")
    assert answer.status_code == 404
    assert b"not valid" in answer.content


def test_unsubscribing_succeeds_after_the_account_was_deleted(database: str) -> None:
    player = make_notified_player("your_turn")
    link = unsubscribe_url(player, "your_turn")
    player.delete()
    assert Client().post(link).status_code == 200
