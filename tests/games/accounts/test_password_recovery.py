"""Password resets, password changes and confirmation of email addresses."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.mail import EmailMessage
from pytest_django import DjangoCaptureOnCommitCallbacks

from games.accounts.services import mails
from games.identity.models import Player
from tests.support.clients import (
    PASSWORD,
    anonymous_client,
    client_of,
    code,
    field_errors,
    make_guest,
    make_person,
)

NEW_PASSWORD = "another heap of moor"
Capture = DjangoCaptureOnCommitCallbacks
Outbox = list[EmailMessage]


def token_in(mail: EmailMessage) -> str:
    found = re.search(r"#(\S+)", str(mail.body))
    assert found is not None
    return found[1]


def post(path: str, **body: Any) -> Any:
    return anonymous_client().post(f"/api/v1/auth/{path}", body)


@pytest.fixture
def heather(database: str) -> Player:
    return make_person("heather", email="Heather@example.org", email_confirmed=True)


def request_reset(capture: Capture, **body: str) -> None:
    with capture(execute=True):
        answer = post("password/reset", **body)
    assert (answer.status_code, answer.content) == (204, b"")


@pytest.mark.parametrize("body", ({"username": "HEATHER"}, {"email": "heather@EXAMPLE.org"}))
def test_the_token_in_a_reset_mail_sets_a_new_password(
    heather: Player, body: dict[str, str], mailoutbox: Outbox, django_capture_on_commit_callbacks: Capture
) -> None:
    client = client_of(heather)
    request_reset(django_capture_on_commit_callbacks, **body)
    (mail,) = mailoutbox
    assert mail.to == ["Heather@example.org"]
    assert post("password/confirm", token=token_in(mail), password=NEW_PASSWORD).status_code == 204
    assert client.get("/api/v1/me").status_code == 401, "all tokens are revoked"
    assert post("token", username="heather", password=PASSWORD).status_code == 401
    assert post("token", username="heather", password=NEW_PASSWORD).status_code == 201


def test_a_reset_token_is_valid_only_once(
    heather: Player, mailoutbox: Outbox, django_capture_on_commit_callbacks: Capture
) -> None:
    request_reset(django_capture_on_commit_callbacks, username="heather")
    token = token_in(mailoutbox[0])
    post("password/confirm", token=token, password=NEW_PASSWORD)
    assert field_errors(post("password/confirm", token=token, password=PASSWORD)) == {
        ("/token", "invalid_token")
    }


def test_a_rejected_password_does_not_consume_the_reset_token(
    heather: Player, mailoutbox: Outbox, django_capture_on_commit_callbacks: Capture
) -> None:
    request_reset(django_capture_on_commit_callbacks, username="heather")
    token = token_in(mailoutbox[0])
    assert field_errors(post("password/confirm", token=token, password="123")) >= {
        ("/password", "password_too_short")
    }
    assert post("password/confirm", token=token, password=NEW_PASSWORD).status_code == 204


def test_a_login_does_not_invalidate_a_reset_token(
    heather: Player, mailoutbox: Outbox, django_capture_on_commit_callbacks: Capture
) -> None:
    """An intruder who knows the password could prevent its reset."""
    request_reset(django_capture_on_commit_callbacks, username="heather")
    assert post("token", username="heather", password=PASSWORD).status_code == 201
    answer = post("password/confirm", token=token_in(mailoutbox[0]), password=NEW_PASSWORD)
    assert answer.status_code == 204


def test_a_reset_token_expires_after_a_day(heather: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    token = mails.password_token(heather)
    later = datetime.now() + timedelta(days=1, minutes=1)  # noqa: DTZ005 -- like Django's token generator
    monkeypatch.setattr(mails._PASSWORD, "_now", lambda: later)
    assert field_errors(post("password/confirm", token=token, password=NEW_PASSWORD)) == {
        ("/token", "invalid_token")
    }


@pytest.mark.parametrize("username", ("unconfirmed", "nobody", "banned", "without-address"))
def test_a_reset_request_does_not_reveal_whether_an_account_exists(
    database: str, username: str, mailoutbox: Outbox, django_capture_on_commit_callbacks: Capture
) -> None:
    make_person("unconfirmed", email="u@example.org")
    make_person("banned", email="s@example.org", email_confirmed=True, is_active=False)
    make_person("without-address")
    request_reset(django_capture_on_commit_callbacks, username=username)
    assert mailoutbox == []


def test_a_reset_request_requires_a_username_or_an_address(database: str) -> None:
    answer = anonymous_client().post("/api/v1/auth/password/reset", {})
    assert field_errors(answer) == {("/email", "required")}


@pytest.mark.parametrize(
    "token", ("x", ".", "1.", "1.x-y", "zzzzzzzzzzzzz.a-b", "-1.a-b", "1" * 200, "\u0661.x-y", "1.\u00e9-x")
)
@pytest.mark.parametrize("path", ("password/confirm", "email/confirm"))
def test_a_malformed_token_is_rejected(heather: Player, token: str, path: str) -> None:
    body = {"token": token, "password": NEW_PASSWORD} if path == "password/confirm" else {"token": token}
    assert field_errors(post(path, **body)) == {("/token", "invalid_token")}


def test_tokens_for_reset_and_confirmation_are_not_interchangeable(heather: Player) -> None:
    Player.objects.update(email_confirmed=False)
    heather.refresh_from_db()
    for path, token in (
        ("password/confirm", mails.email_token(heather)),
        ("email/confirm", mails.password_token(heather)),
    ):
        body = {"token": token, "password": NEW_PASSWORD} if path == "password/confirm" else {"token": token}
        assert field_errors(post(path, **body)) == {("/token", "invalid_token")}


def test_registration_sends_a_confirmation_mail(
    database: str, mailoutbox: Outbox, django_capture_on_commit_callbacks: Capture
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        post("register", username="heather", password=PASSWORD, email="h@example.org")
    (mail,) = mailoutbox
    assert mail.to == ["h@example.org"]
    assert post("email/confirm", token=token_in(mail)).status_code == 204
    assert Player.objects.get().email_confirmed
    assert field_errors(post("email/confirm", token=token_in(mail))) == {("/token", "invalid_token")}


def test_claiming_an_account_sends_a_confirmation_mail(
    database: str, mailoutbox: Outbox, django_capture_on_commit_callbacks: Capture
) -> None:
    _, client = make_guest()
    with django_capture_on_commit_callbacks(execute=True):
        client.post(
            "/api/v1/auth/claim", {"username": "heather", "password": PASSWORD, "email": "h@example.org"}
        )
    assert [mail.to for mail in mailoutbox] == [["h@example.org"]]


def test_a_changed_address_must_be_confirmed_and_invalidates_the_earlier_token(
    heather: Player, mailoutbox: Outbox, django_capture_on_commit_callbacks: Capture
) -> None:
    client = client_of(heather)
    for address in ("first@example.org", "second@example.org"):
        with django_capture_on_commit_callbacks(execute=True):
            changed = client.patch("/api/v1/me", {"email": address}).json()
        assert (changed["email"], changed["email_confirmed"]) == (address, False)
    confirmations = [mail for mail in mailoutbox if mail.to != ["Heather@example.org"]]
    assert [mail.to[0] for mail in confirmations] == ["first@example.org", "second@example.org"]
    tokens = [token_in(mail) for mail in confirmations]
    assert field_errors(post("email/confirm", token=tokens[0])) == {("/token", "invalid_token")}
    assert post("email/confirm", token=tokens[1]).status_code == 204


def test_changing_the_password_revokes_all_other_tokens(heather: Player) -> None:
    current, other = client_of(heather), client_of(heather)
    answer = current.post("/api/v1/me/password", {"current_password": PASSWORD, "password": NEW_PASSWORD})
    assert answer.status_code == 204
    assert current.get("/api/v1/me").status_code == 200
    assert other.get("/api/v1/me").status_code == 401
    assert post("token", username="heather", password=NEW_PASSWORD).status_code == 201


def test_changing_the_password_requires_the_current_one_and_is_limited(
    heather: Player, settings: Any
) -> None:
    settings.HAGGIS_LOG_IN_ATTEMPTS = {"pair": 2, "account": 100, "address": 100}
    client = client_of(heather)
    body = {"current_password": "wrong", "password": NEW_PASSWORD}
    for _ in range(2):
        assert field_errors(client.post("/api/v1/me/password", body)) == {
            ("/current_password", "wrong_password")
        }
    answer = client.post("/api/v1/me/password", body)
    assert (answer.status_code, code(answer)) == (429, "rate_limited")
