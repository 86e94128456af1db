"""Limits on the mails that anybody can cause."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from games.accounts.models import SentMail
from games.accounts.services.mails import delete_old_mail_counts
from games.identity.models import Player
from tests.support.clients import PASSWORD, anonymous_client, client_of, code, make_person
from tests.support.concurrency import run_concurrently

Capture = DjangoCaptureOnCommitCallbacks
Outbox = list[EmailMessage]


@pytest.fixture(autouse=True)
def _limits(settings: Settings) -> None:
    settings.HAGGIS_MAIL_LIMITS = {
        "account": (4, 3600),
        "email": (3, 86_400),
        "source": (6, 3600),
        "notices": (2, 3600),
    }


def set_email(player: Player, email: str, address: str = "10.0.0.1") -> Any:
    return client_of(player).patch("/api/v1/me", {"email": email}, REMOTE_ADDR=address)


def change_and_read_status(player: Player, number: int) -> int:
    return int(set_email(player, f"{number}@example.org", f"10.0.{number}.1").status_code)


def register(name: str, email: str, address: str = "10.0.0.1") -> Any:
    body = {"username": name, "password": PASSWORD, "email": email}
    return anonymous_client().post("/api/v1/auth/register", body, REMOTE_ADDR=address)


def reset(address: str = "10.0.0.1", **body: str) -> Any:
    return anonymous_client().post("/api/v1/auth/password/reset", body, REMOTE_ADDR=address)


def test_one_account_cannot_mail_many_strangers(
    database: str, mailoutbox: Outbox, django_capture_on_commit_callbacks: Capture
) -> None:
    player = make_person()
    with django_capture_on_commit_callbacks(execute=True):
        answers = [
            set_email(player, f"victim-{number}@example.org", f"10.0.{number}.1") for number in range(40)
        ]
    assert [answer.status_code for answer in answers] == [200] * 4 + [429] * 36
    assert code(answers[-1]) == "rate_limited"
    assert 3500 < int(answers[-1]["Retry-After"]) <= 3600
    assert len(mailoutbox) <= 4
    assert Player.objects.get(pk=player.pk).email == "victim-3@example.org", "a refused change is not made"


def test_one_client_cannot_mail_many_strangers_with_many_accounts(
    database: str, mailoutbox: Outbox, django_capture_on_commit_callbacks: Capture
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        answers = [register(f"sock-{number}", f"victim-{number}@example.org") for number in range(10)]
    assert [answer.status_code for answer in answers] == [201] * 6 + [429] * 4
    assert len(mailoutbox) == 6
    assert Player.objects.count() == 6
    assert register("sock-9", "victim-9@example.org", "10.9.9.9").status_code == 201


def test_the_limit_of_a_mailbox_is_not_reported(
    database: str, mailoutbox: Outbox, django_capture_on_commit_callbacks: Capture
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        answers = [
            register(
                f"sock-{number}", f"victim{'+x' * (number % 2)}{'+' * number}@Example.org", f"10.{number}.0.1"
            )
            for number in range(8)
        ]
    assert {answer.status_code for answer in answers} == {201}
    assert len(mailoutbox) == 3


def test_reset_mails_are_limited_without_revealing_accounts(
    database: str, mailoutbox: Outbox, django_capture_on_commit_callbacks: Capture
) -> None:
    make_person("heather", email="h@example.org", email_confirmed=True)
    with django_capture_on_commit_callbacks(execute=True):
        known = [reset(f"10.0.{number}.1", username="heather") for number in range(8)]
        unknown = [reset(f"10.0.{number}.1", username="nobody-here") for number in range(8)]
    assert {(answer.status_code, answer.content) for answer in known + unknown} == {(204, b"")}
    assert len(mailoutbox) == 3
    for username in ("heather", "nobody-here"):
        answers = [reset("10.1.1.1" + str(len(username)), username=username) for _ in range(8)]
        assert [answer.status_code for answer in answers] == [204] * 6 + [429] * 2


def test_one_kind_of_mail_does_not_use_up_the_limit_of_another(
    database: str, mailoutbox: Outbox, django_capture_on_commit_callbacks: Capture
) -> None:
    player = make_person("heather", email="h@example.org", email_confirmed=True)
    with django_capture_on_commit_callbacks(execute=True):
        for number in range(8):
            reset(f"10.0.{number}.1", username="heather")
        mailoutbox.clear()
        assert set_email(player, "other@example.org").status_code == 200
    assert sorted(mail.to[0] for mail in mailoutbox) == ["h@example.org", "other@example.org"]


def test_mails_are_sent_again_after_the_window(database: str) -> None:
    player = make_person()
    assert [set_email(player, f"{number}@example.org").status_code for number in range(5)][-1] == 429
    SentMail.objects.update(at=timezone.now() - timedelta(seconds=3601))
    assert set_email(player, "again@example.org").status_code == 200


def test_refused_mails_are_not_stored_and_old_counts_are_deleted(database: str) -> None:
    player = make_person()
    for number in range(20):
        set_email(player, f"{number}@example.org")
    assert SentMail.objects.count() == 4
    assert "example.org" not in repr(list(SentMail.objects.values()))
    assert delete_old_mail_counts(now=timezone.now()) == 0
    assert delete_old_mail_counts(now=timezone.now() + timedelta(days=1, seconds=1)) == 4


def test_concurrent_requests_cannot_exceed_the_limit(committing_database: str) -> None:
    player = make_person()
    statuses = run_concurrently([partial(change_and_read_status, player, number) for number in range(12)])
    assert statuses.count(200) <= 4
    assert set(statuses) <= {200, 429}


def test_removing_the_address_does_not_count_as_a_mail(database: str) -> None:
    player = make_person()
    statuses = [set_email(player, f"{number}@example.org").status_code for number in range(5)]
    assert statuses == [200, 200, 200, 200, 429]
    before = SentMail.objects.count()
    assert client_of(player).patch("/api/v1/me", {"email": None}).status_code == 200
    assert Player.objects.get(pk=player.pk).email == ""
    assert SentMail.objects.count() == before
