"""The attempts to send notices, which their player can list, and test mails."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.utils import timezone

from games.identity.models import Player
from games.notifications import outbox
from games.notifications.mail import RETRY_DELAYS, send_due_mails
from games.notifications.models import Notice, NoticeAttempt, NoticeResult
from games.notifications.outbox import RETENTION, record_attempts
from games.notifications.push import add_device, send_due_pushes, send_test
from games.privacy.services import delete_account
from games.sweep.tasks import delete_deliveries
from tests.support.clients import client_of, code, make_guest, make_person
from tests.support.factories import JsonObject, make_notified_player, make_player, start_match
from tests.support.receiver import Receiver, push_subscription, run_receiver

ADDRESS = "/api/v1/me/notifications/deliveries"
TEST_MAIL = "/api/v1/me/email/test"


@pytest.fixture
def push_service(settings: Any) -> Iterator[Receiver]:
    """Run a local push service."""
    settings.HAGGIS_WEBHOOKS_LOCAL = True
    with run_receiver() as receiver:
        yield receiver


def make_all_due() -> None:
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=1))


def listed(player: Player) -> list[JsonObject]:
    answer = client_of(player).get(ADDRESS)
    assert answer.status_code == 200
    results: list[JsonObject] = answer.json()["results"]
    return results


def person_with_address() -> Player:
    player = make_person()
    Player.objects.filter(pk=player.pk).update(email="anna@example.org", email_confirmed=True)
    return Player.objects.get(pk=player.pk)


def test_sent_mail_is_listed_without_its_content(database: str, mailoutbox: list[EmailMessage]) -> None:
    people = make_notified_player("your_turn"), make_notified_player("your_turn")
    match = start_match(*people)
    first, other = people[match.to_act or 0], people[1 - (match.to_act or 0)]
    make_all_due()
    assert send_due_mails() == 1
    [attempt] = listed(first)
    assert attempt == {
        "at": attempt["at"],
        "channel": "email",
        "kind": "your_turn",
        "match": match.pk,
        "device": None,
        "status": "sent",
        "response": None,
    }
    assert listed(other) == []


def test_failed_mail_is_retried_until_the_delays_are_used_up(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", fail)
    player = person_with_address()
    assert client_of(player).post(TEST_MAIL).status_code == 202
    for _ in range(len(RETRY_DELAYS) + 1):
        make_all_due()
        send_due_mails()
    statuses = [attempt["status"] for attempt in listed(player)]
    assert statuses == ["failed", *["retrying"] * len(RETRY_DELAYS)]
    assert not Notice.objects.exists()


@pytest.mark.parametrize(("status", "result"), ((201, "sent"), (503, "retrying"), (410, "failed")))
def test_push_message_is_listed_with_the_response(
    database: str, push_service: Receiver, status: int, result: str
) -> None:
    push_service.answer = lambda _: status
    player = make_person()
    device = add_device(player=player, name="phone", **push_subscription("phone", push_service.url))
    send_test(player=player, device_id=device.public_id)
    make_all_due()
    send_due_pushes()
    [attempt] = listed(player)
    expected = {"channel": "push", "kind": "test", "match": None, "status": result, "response": status}
    assert {name: attempt[name] for name in expected} == expected
    assert attempt["device"] == device.public_id


def test_test_mail_is_sent_to_the_confirmed_address(database: str, mailoutbox: list[EmailMessage]) -> None:
    player = person_with_address()
    answer = client_of(player).post(TEST_MAIL)
    assert (answer.status_code, answer.json()) == (202, {"email": "anna@example.org"})
    make_all_due()
    assert send_due_mails() == 1
    [mail] = mailoutbox
    assert (mail.to, mail.subject) == (["anna@example.org"], "Test mail of Haggis")
    assert "List-Unsubscribe" not in mail.extra_headers
    [attempt] = listed(player)
    assert (attempt["kind"], attempt["match"], attempt["status"]) == ("test", None, "sent")


def test_test_mail_needs_a_confirmed_address(database: str) -> None:
    player = person_with_address()
    Player.objects.filter(pk=player.pk).update(email_confirmed=False)
    for somebody in (Player.objects.get(pk=player.pk), make_guest()[0], make_person()):
        answer = client_of(somebody).post(TEST_MAIL)
        assert (answer.status_code, code(answer)) == (409, "email_not_confirmed")
    assert not Notice.objects.exists()


def pending_notice(player: Player) -> Notice:
    return Notice(player=player, kind="your_turn", way="email", about="m_1", version=1)


def test_only_the_latest_attempts_of_a_player_are_stored(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "MAX_STORED_ATTEMPTS", 3)
    player, other = make_player(), make_player()
    record_attempts([pending_notice(other)], NoticeResult.SENT)
    for number in range(5):
        record_attempts([pending_notice(player)], NoticeResult.SENT, response=200 + number)
    stored = NoticeAttempt.objects.filter(player=player).order_by("pk")
    assert [attempt.response for attempt in stored] == [202, 203, 204]
    assert NoticeAttempt.objects.filter(player=other).count() == 1


def test_old_attempts_are_deleted(database: str) -> None:
    player = make_player()
    for age in (RETENTION + timedelta(hours=1), timedelta(days=1)):
        record_attempts([pending_notice(player)], NoticeResult.SENT)
        NoticeAttempt.objects.filter(at__gt=timezone.now() - timedelta(minutes=1)).update(
            at=timezone.now() - age
        )
    delete_deliveries()
    assert NoticeAttempt.objects.count() == 1


def test_deleting_an_account_deletes_its_attempts(database: str) -> None:
    player = make_player()
    record_attempts([pending_notice(player)], NoticeResult.SENT)
    delete_account(player=player)
    assert not NoticeAttempt.objects.exists()
