"""Notices of security events, and undoing a change of address."""

import base64
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings
from rest_framework.test import APIClient

from games.accounts.models import KnownDevice, RecoveryCode, SecondFactor, SecurityEvent, SentMail
from games.accounts.services import mails, security
from games.accounts.services.second_factor import current_step, start_enrolment, totp
from games.accounts.services.security import delete_old_events, subscribe_security_events
from games.core.secrets import Secret
from games.identity.models import ApiToken, Player
from games.notifications.models import Device, Webhook
from tests.support.clients import (
    PASSWORD,
    anonymous_client,
    client_of,
    client_with_token,
    field_errors,
    make_bot,
    make_person,
    program_of,
)

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
NEW_PASSWORD = "another heap of moor"
OLD, NEW = "old@example.org", "new@example.org"
Outbox = list[EmailMessage]


@pytest.fixture
def heather(database: str) -> Player:
    return make_person("heather", email=OLD, email_confirmed=True)


@pytest.fixture(autouse=True)
def _commit(django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> Iterator[None]:
    """Run what waits for a commit at once, as if each request were committed."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (mails, security):
            patch.setattr(module.transaction, "on_commit", lambda function, **_: function())
        yield


def log_in(address: str = "10.0.0.1", password: str = PASSWORD, user_agent: str = FIREFOX) -> Any:
    return anonymous_client().post(
        "/api/v1/auth/token",
        {"username": "heather", "password": password},
        REMOTE_ADDR=address,
        HTTP_USER_AGENT=user_agent,
    )


def change_email(client: APIClient, email: str | None) -> None:
    answer = client.patch("/api/v1/me", {"email": email})
    assert answer.status_code == 200, answer.content


def undo_token_in(mail: EmailMessage) -> str:
    found = re.search(r"/undo-email-change#(\S+)", str(mail.body))
    assert found is not None, mail.body
    return found[1]


def undo(token: str) -> Any:
    return anonymous_client().post("/api/v1/auth/email/undo", {"token": token})


def to(address: str, outbox: Outbox) -> Outbox:
    return [mail for mail in outbox if mail.to == [address]]


@pytest.mark.parametrize("email", (NEW, None))
def test_old_address_is_notified_of_a_change_and_can_undo_it(
    heather: Player, email: str | None, mailoutbox: Outbox
) -> None:
    client, program = client_of(heather), program_of(heather)
    change_email(client, email)
    (notice,) = to(OLD, mailoutbox)
    assert "heather" in str(notice.body)
    made_since = client.post("/api/v1/me/tokens", {"name": "n", "scopes": ["matches:read"]}).json()["token"]
    bot = client.post("/api/v1/me/bots", {"username": "robot"}).json()["token"]
    answer = undo(undo_token_in(notice))
    assert (answer.status_code, answer["Cache-Control"]) == (201, "no-store")
    player = Player.objects.get(pk=heather.pk)
    assert (player.email, player.email_confirmed) == (OLD, True)
    holders = [client, program, client_with_token(made_since), client_with_token(bot)]
    assert [each.get("/api/v1/me").status_code for each in holders] == [401] * 4
    assert log_in().status_code == 401, "the password has to be reset"
    body = {"token": answer.json()["reset_token"], "password": NEW_PASSWORD}
    assert anonymous_client().post("/api/v1/auth/password/confirm", body).status_code == 204
    assert log_in(password=NEW_PASSWORD).status_code == 201


def test_undoing_deletes_the_webhooks_and_devices_added_since(heather: Player, mailoutbox: Outbox) -> None:
    client = client_of(heather)
    older = client.post("/api/v1/me/webhooks", {"url": "https://example.com/mine"}).json()["id"]
    change_email(client, NEW)
    bot, _ = make_bot(heather, "robot")
    for owner in (heather, bot):
        answer = client_of(owner).post("/api/v1/me/webhooks", {"url": "https://example.com/intruder"})
        assert answer.status_code == 201, answer.content
    Device.objects.create(
        player=heather, place="p", subscription=Secret({}), service="x", created_at=timezone.now()
    )
    undo(undo_token_in(to(OLD, mailoutbox)[0]))
    assert [each.public_id for each in Webhook.objects.all()] == [older]
    assert not Device.objects.exists()


def test_a_takeover_is_undone_with_the_second_factor_of_the_intruder(
    heather: Player, mailoutbox: Outbox
) -> None:
    intruder = client_of(heather)
    change_email(intruder, NEW)
    Player.objects.filter(pk=heather.pk).update(email_confirmed=True)
    key = intruder.post("/api/v1/me/second-factor").json()["secret"]
    enter_code(intruder, key)
    body = {"current_password": PASSWORD, "password": "the intruder's own"}
    assert intruder.post("/api/v1/me/password", body).status_code == 204
    answer = undo(undo_token_in(to(OLD, mailoutbox)[0]))
    assert not SecondFactor.objects.exists()
    assert not RecoveryCode.objects.exists()
    body = {"token": answer.json()["reset_token"], "password": NEW_PASSWORD}
    assert anonymous_client().post("/api/v1/auth/password/confirm", body).status_code == 204


def enter_code(client: APIClient, key: str) -> None:
    code = totp(base64.b32decode(key), current_step())
    assert client.post("/api/v1/me/second-factor", {"code": code}).status_code == 200


def test_a_second_factor_that_the_intruder_set_up_first_is_removed(
    heather: Player, mailoutbox: Outbox
) -> None:
    intruder = client_of(heather)
    enter_code(intruder, intruder.post("/api/v1/me/second-factor").json()["secret"])
    change_email(intruder, NEW)
    set_password_after(undo(undo_token_in(to(OLD, mailoutbox)[-1])))


def test_a_second_factor_that_the_intruder_set_up_can_be_undone(heather: Player, mailoutbox: Outbox) -> None:
    """A reset of the password needs a code, so it would not help the owner."""
    intruder = client_of(heather)
    enter_code(intruder, intruder.post("/api/v1/me/second-factor").json()["secret"])
    (notice,) = to(OLD, mailoutbox)
    assert notice.subject == "A second factor was set up"
    set_password_after(undo(undo_token_in(notice)))
    assert intruder.get("/api/v1/me").status_code == 401
    assert field_errors(undo(undo_token_in(notice))) == {("/token", "invalid_token")}


def set_password_after(answer: Any) -> None:
    body = {"token": answer.json()["reset_token"], "password": NEW_PASSWORD}
    assert anonymous_client().post("/api/v1/auth/password/confirm", body).status_code == 204
    assert log_in(password=NEW_PASSWORD).status_code == 201


def test_an_intruder_who_changed_the_address_gets_no_link_to_undo_a_second_factor(
    heather: Player, mailoutbox: Outbox
) -> None:
    intruder = client_of(heather)
    change_email(intruder, NEW)
    Player.objects.filter(pk=heather.pk).update(email_confirmed=True)
    enter_code(intruder, intruder.post("/api/v1/me/second-factor").json()["secret"])
    assert "undo" not in str(to(NEW, mailoutbox)[-1].body)


def test_an_older_second_factor_survives_undoing(heather: Player, mailoutbox: Outbox) -> None:
    """Access to an old mailbox alone does not get into an account with a second factor."""
    client = client_of(heather)
    enter_code(client, client.post("/api/v1/me/second-factor").json()["secret"])
    SecondFactor.objects.update(confirmed_at=timezone.now() - timedelta(days=8))
    change_email(client, NEW)
    answer = undo(undo_token_in(to(OLD, mailoutbox)[-1]))
    body = {"token": answer.json()["reset_token"], "password": NEW_PASSWORD}
    answer = anonymous_client().post("/api/v1/auth/password/confirm", body)
    assert (answer.status_code, answer.json()["code"]) == (401, "second_factor_required")


def test_an_unconfirmed_enrolment_does_not_survive_undoing(heather: Player, mailoutbox: Outbox) -> None:
    change_email(client_of(heather), NEW)
    start_enrolment(player=heather)
    undo(undo_token_in(to(OLD, mailoutbox)[0]))
    assert not SecondFactor.objects.exists()


def test_a_change_is_undone_once(heather: Player, mailoutbox: Outbox) -> None:
    change_email(client_of(heather), NEW)
    token = undo_token_in(to(OLD, mailoutbox)[0])
    assert undo(token).status_code == 201
    assert field_errors(undo(token)) == {("/token", "invalid_token")}


@pytest.mark.parametrize("token", ("x", "1:2:3", "\u0661:x:y", "a" * 200))
def test_a_malformed_undo_token_is_rejected(heather: Player, token: str) -> None:
    assert field_errors(undo(token)) == {("/token", "invalid_token")}


def test_a_change_cannot_be_undone_after_a_week(heather: Player, mailoutbox: Outbox) -> None:
    change_email(client_of(heather), NEW)
    token = undo_token_in(to(OLD, mailoutbox)[0])
    SecurityEvent.objects.update(at=timezone.now() - timedelta(days=7, seconds=1))
    assert field_errors(undo(token)) == {("/token", "invalid_token")}
    assert delete_old_events(now=timezone.now()) == 1


def test_the_address_of_an_intruder_gets_no_link_to_undo(heather: Player, mailoutbox: Outbox) -> None:
    """The owner takes the address back without the link: the intruder must not undo that."""
    change_email(client_of(heather), NEW)
    Player.objects.filter(pk=heather.pk).update(email_confirmed=True)
    change_email(client_of(Player.objects.get(pk=heather.pk)), OLD)
    (notice,) = [mail for mail in to(NEW, mailoutbox) if "was changed" in mail.subject]
    assert "undo" not in str(notice.body)
    assert undo(undo_token_in(to(OLD, mailoutbox)[0])).status_code == 201


def test_an_address_that_was_never_confirmed_gets_no_notice(database: str, mailoutbox: Outbox) -> None:
    change_email(client_of(make_person("heather", email="typo@example.org")), NEW)
    assert to("typo@example.org", mailoutbox) == []


def test_changes_of_password_and_second_factor_are_reported(heather: Player, mailoutbox: Outbox) -> None:
    client = client_of(heather)
    body = {"current_password": PASSWORD, "password": NEW_PASSWORD}
    assert client.post("/api/v1/me/password", body).status_code == 204
    enter_code(client, client.post("/api/v1/me/second-factor").json()["secret"])
    assert client.delete("/api/v1/me/second-factor").status_code == 204
    body = {"token": mails.password_token(Player.objects.get()), "password": PASSWORD}
    assert anonymous_client().post("/api/v1/auth/password/confirm", body).status_code == 204
    assert [mail.subject for mail in to(OLD, mailoutbox)] == [
        "Your password was changed",
        "A second factor was set up",
        "Your second factor was removed",
        "Your password was changed",
    ]


def test_a_log_in_from_a_new_device_is_reported_once(heather: Player, mailoutbox: Outbox) -> None:
    for address, user_agent in (
        ("10.0.0.1", FIREFOX),
        ("10.0.0.1", FIREFOX),
        ("10.0.0.2", FIREFOX),
        ("10.0.0.2", "curl/8.5.0"),
        ("10.0.0.1", FIREFOX.replace("128", "129")),
    ):
        assert log_in(address, user_agent=user_agent).status_code == 201
    assert [mail.subject for mail in mailoutbox] == ["Log-in from a new device"] * 3
    assert "(Firefox on Linux)" in str(mailoutbox[0].body)
    assert log_in(password="wrong", address="10.0.0.3").status_code == 401
    assert len(mailoutbox) == 3


def test_a_stolen_session_does_not_make_a_new_device_known_silently(
    heather: Player, mailoutbox: Outbox
) -> None:
    thief = client_of(heather)
    answer = thief.post(
        "/api/v1/me/reauthenticate",
        {"password": PASSWORD},
        REMOTE_ADDR="10.0.0.9",
        HTTP_USER_AGENT="curl/8.5.0",
    )
    assert answer.status_code == 200
    assert [mail.subject for mail in mailoutbox] == ["Log-in from a new device"]


def test_the_device_of_the_registration_is_known(database: str, mailoutbox: Outbox) -> None:
    body = {"username": "heather", "password": PASSWORD}
    answer = anonymous_client().post(
        "/api/v1/auth/register", body, REMOTE_ADDR="10.0.0.1", HTTP_USER_AGENT=FIREFOX
    )
    assert answer.status_code == 201
    Player.objects.update(email=OLD, email_confirmed=True)
    assert log_in().status_code == 201
    assert mailoutbox == []
    assert not SecurityEvent.objects.exists()


def test_notices_of_a_kind_are_limited_but_never_those_of_a_change_of_address(
    heather: Player, mailoutbox: Outbox, settings: Settings
) -> None:
    settings.HAGGIS_MAIL_LIMITS = {"account": (2, 3600)}
    for number in range(5):
        assert log_in(f"10.0.0.{number}").status_code == 201
    assert len(mailoutbox) == SecurityEvent.objects.count() == 2
    change_email(client_of(heather), NEW)
    assert len(to(OLD, mailoutbox)) == 3


def test_a_deleted_account_is_reported_and_leaves_nothing_behind(heather: Player, mailoutbox: Outbox) -> None:
    client = client_of(heather)
    enter_code(client, client.post("/api/v1/me/second-factor").json()["secret"])
    change_email(client, NEW)
    Player.objects.filter(pk=heather.pk).update(email_confirmed=True)
    mailoutbox.clear()
    client = client_of(Player.objects.get())
    assert client.delete("/api/v1/me").status_code == 204
    for model in (SecondFactor, RecoveryCode, SecurityEvent, KnownDevice):
        assert not model.objects.exists(), model
    assert "example.org" not in repr(list(SentMail.objects.values()))


def test_listeners_receive_events_after_the_commit(heather: Player) -> None:
    received: list[SecurityEvent] = []
    subscribe_security_events(received.append)
    try:
        change_email(client_of(heather), NEW)
    finally:
        security._listeners.remove(received.append)
    assert [(event.kind, event.player_id) for event in received] == [("email_changed", heather.pk)]


def test_tokens_of_bots_older_than_the_change_stay_valid(heather: Player, mailoutbox: Outbox) -> None:
    _, bot = make_bot(heather, "robot")
    ApiToken.objects.update(created=timezone.now() - timedelta(days=1))
    change_email(client_of(heather), NEW)
    undo(undo_token_in(to(OLD, mailoutbox)[0]))
    assert bot.get("/api/v1/me").status_code == 200
