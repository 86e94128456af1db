"""The way out of mails: asked for by a page, or done by the mail program itself."""

from typing import Any

import pytest
from django.test import Client

from games.identity.models import Player
from games.notifications.mail import unsubscribe_token
from tests.games.notifications.test_notice_rows import wanting


def address(player: Player, *kinds: str) -> str:
    return f"/unsubscribe?token={unsubscribe_token(player, kinds)}"


def wishes(player: Player) -> Any:
    return Player.objects.get(pk=player.pk).notifications


def test_looking_at_the_page_changes_nothing(database: str) -> None:
    player = wanting("your_turn", "match_end")
    answers = [ask(address(player, "your_turn")) for ask in (Client().get, Client().head)]
    assert [(each.status_code, each["Cache-Control"]) for each in answers] == [(200, "no-store")] * 2
    assert wishes(player) == {"email": ["your_turn", "match_end"]}


def test_a_mail_program_unsubscribes_by_one_request_without_a_cookie(database: str) -> None:
    player = wanting("your_turn", "match_end")
    client = Client(enforce_csrf_checks=True)
    answer = client.post(address(player, "your_turn"), {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert not answer.cookies
    assert wishes(player) == {"email": ["match_end"]}


def test_the_page_offers_more_than_that(database: str) -> None:
    player = wanting("your_turn", "match_end")
    page = Client().get(address(player, "your_turn")).content.decode()
    assert "your turns" in page
    assert 'name="everything"' in page
    Client().post(address(player, "your_turn"), {"everything": ""})
    assert wishes(player) == {"email": []}


@pytest.mark.parametrize("query", ("", "?token=", "?token=x", "?token=%00", "?token=W10:x"))
@pytest.mark.parametrize("method", ("GET", "POST"))
def test_a_link_that_is_none_is_said_to_be_none(database: str, query: str, method: str) -> None:
    answer = Client().generic(method, f"/unsubscribe{query}")
    assert answer.status_code == 404
    assert b"not valid" in answer.content


def test_whose_account_is_gone_is_told_that_it_is_done(database: str) -> None:
    player = wanting("your_turn")
    link = address(player, "your_turn")
    player.delete()
    assert Client().post(link).status_code == 200
