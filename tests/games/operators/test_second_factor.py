"""The second factor of operators, and the end of their sessions."""

import base64
import re
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from games.accounts.models import SecondFactor, SecurityEvent
from games.accounts.services import second_factor
from games.accounts.services.second_factor import totp
from games.core.secrets import Secret
from games.identity.models import ApiToken, Player
from games.identity.services import log_in_token
from games.operators.models import OperatorAction
from games.operators.services import Role
from tests.support.factories import PASSWORD, logged_in_client, make_operator, make_player

_LOGIN_URL, _ENROLMENT_URL = "/admin/login/", "/admin/second-factor/"


@pytest.fixture(autouse=True)
def _step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix the time step, so that no test crosses its end."""
    monkeypatch.setattr(second_factor, "current_step", lambda: 58_000_000)


def log_in(client: Client, operator: Player, code: str = "") -> Any:
    body = {"username": operator.username, "password": PASSWORD, "code": code}
    return client.post(f"{_LOGIN_URL}?next=/admin/", body)


def code_of(key: str, offset: int = 0) -> str:
    return totp(base64.b32decode(key), second_factor.current_step() + offset)


def enrol(client: Client) -> str:
    """Set up a second factor on the page and return its key."""
    page = client.get(_ENROLMENT_URL).content.decode()
    found = re.search(r"totp-key\"><code>([A-Z2-7 ]+)<", page)
    assert found is not None
    key = found[1].replace(" ", "")
    assert f"secret={key}" in page
    answer = client.post(_ENROLMENT_URL, {"code": code_of(key, -1)})
    assert answer.status_code == 200
    assert len(re.findall(r"<li><code>", answer.content.decode())) == 10
    return key


@pytest.mark.parametrize("role", list(Role))
def test_an_operator_without_a_second_factor_sees_only_the_page_to_set_one_up(
    database: str, role: Role
) -> None:
    operator, client = make_operator(role), Client()
    log_in(client, operator)
    for page in ("/admin/", "/admin/games/match/", "/admin/games/player/"):
        answer = client.get(page, follow=True)
        assert answer.redirect_chain[-1][0] == _ENROLMENT_URL
    enrol(client)
    assert client.get("/admin/").status_code == 200
    assert client.get(_ENROLMENT_URL)["Location"] == "/admin/"


def test_a_wrong_code_shows_the_same_key_again(database: str) -> None:
    client = Client()
    log_in(client, make_operator(Role.OPERATOR))
    key = re.search(r"totp-key\"><code>([A-Z2-7 ]+)<", client.get(_ENROLMENT_URL).content.decode())
    answer = client.post(_ENROLMENT_URL, {"code": "000000"}).content.decode()
    assert key is not None
    assert key[1] in answer
    assert "The code is wrong" in answer


def test_log_in_needs_a_code_once_a_second_factor_is_set_up(database: str) -> None:
    operator, first = make_operator(Role.OPERATOR), Client()
    log_in(first, operator)
    key = enrol(first)
    client = Client()
    for code in ("", "000000", code_of(key, -1)):
        answer = log_in(client, operator, code)
        assert answer.status_code == 200
        assert b"authenticator app" in answer.content or b"used before" in answer.content
        assert client.get("/admin/")["Location"].startswith(_LOGIN_URL)
    assert log_in(client, operator, code_of(key))["Location"] == "/admin/"
    assert client.get("/admin/").status_code == 200


def test_a_session_from_before_the_set_up_needs_a_code(database: str) -> None:
    operator, early, first = make_operator(Role.OPERATOR), Client(), Client()
    log_in(early, operator)
    log_in(first, operator)
    enrol(first)
    answer = early.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0].startswith(_LOGIN_URL)
    assert b"Log in" in answer.content
    assert early.get(_ENROLMENT_URL)["Location"] == "/admin/"


def test_an_operator_who_removes_the_second_factor_has_to_log_in_and_set_up_another(database: str) -> None:
    operator = make_operator(Role.OPERATOR)
    client = logged_in_client(operator)
    assert client.get("/admin/").status_code == 200
    SecondFactor.objects.all().delete()
    for answer in (client.get(_ENROLMENT_URL, follow=True), client.get("/admin/", follow=True)):
        assert answer.redirect_chain[-1][0].startswith(_LOGIN_URL)
    assert not SecondFactor.objects.exists(), "the session may be that of a thief"
    log_in(client, operator)
    assert client.get("/admin/", follow=True).redirect_chain[-1][0] == _ENROLMENT_URL


def test_a_session_from_before_the_second_factor_was_replaced_does_not_count(database: str) -> None:
    operator, thief, client = make_operator(Role.OPERATOR), Client(), Client()
    log_in(thief, operator)
    enrol(thief)
    SecondFactor.objects.all().delete()
    log_in(client, operator)
    enrol(client)
    assert client.get("/admin/").status_code == 200
    assert thief.get("/admin/")["Location"].startswith(_LOGIN_URL)


def test_the_admin_does_not_change_passwords(database: str) -> None:
    """The account page does: it needs a code, limits attempts, revokes tokens and notifies the owner."""
    operator = make_operator(Role.OPERATOR)
    client = logged_in_client(operator)
    new = "another heap of moor"
    body = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    answer = client.post("/admin/password_change/", body)
    assert (answer.status_code, answer["Location"]) == (302, "/account")
    operator.refresh_from_db()
    assert operator.check_password(PASSWORD)


def test_nobody_else_reaches_the_page_to_set_up_a_second_factor(database: str) -> None:
    player = Client()
    player.force_login(make_player())
    for client in (Client(), player):
        for answer in (client.get(_ENROLMENT_URL), client.post(_ENROLMENT_URL, {"code": "000000"})):
            assert (answer.status_code, answer["Location"]) == (302, "/admin/")
    assert not SecondFactor.objects.exists()


def test_an_admin_session_ends_after_twelve_hours_of_use(database: str) -> None:
    assert settings.SESSION_COOKIE_AGE == 12 * 3600
    operator, client = make_operator(Role.OPERATOR), Client()
    log_in(client, operator)
    enrol(client)
    end = client.session.get_expiry_date()
    assert timedelta(hours=11, minutes=59) < end - timezone.now() <= timedelta(hours=12)
    session = client.session
    session["used"] = "later"
    session.save()
    assert client.session.get_expiry_date() == end, "use does not extend the session"
    session.set_expiry(timezone.now() - timedelta(seconds=1))
    session.save()
    assert client.get("/admin/")["Location"].startswith(_LOGIN_URL)


def test_the_second_factor_can_be_switched_off_in_development(database: str, settings: Settings) -> None:
    settings.HAGGIS_ADMIN_SECOND_FACTOR = False
    client = Client()
    log_in(client, make_operator(Role.OPERATOR))
    assert client.get("/admin/").status_code == 200


def test_a_lost_second_factor_is_removed_with_a_note_in_the_audit_log(database: str) -> None:
    player = make_player(username="heather")
    with pytest.raises(CommandError, match="no second factor"):
        call_command("remove_second_factor", "heather", "--reason", "lost phone")
    SecondFactor.objects.create(player=player, key=Secret("JBSWY3DPEHPK3PXP"), confirmed_at=timezone.now())
    token = log_in_token(player=player)
    call_command("remove_second_factor", "Heather", "--reason", "lost phone", stdout=StringIO())
    assert not SecondFactor.objects.exists()
    assert not ApiToken.objects.filter(pk=token.token.pk).exists()
    (action,) = OperatorAction.objects.all()
    assert (action.player, action.reason) == (player, "second factor removed: lost phone")
    assert [event.kind for event in SecurityEvent.objects.all()] == ["second_factor_removed"]
    with pytest.raises(CommandError, match="no player called"):
        call_command("remove_second_factor", "nobody-here", "--reason", "lost phone")
