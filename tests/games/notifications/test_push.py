"""Push messages: when they are sent, encryption, signatures, and failures of push services."""

import base64
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core import management
from django.core.management import CommandError
from django.utils import timezone
from py_vapid import Vapid02

from games.core.errors import Problem
from games.identity.models import Player
from games.matches import recipients
from games.matches.models.match import Match
from games.notifications import encryption, push
from games.notifications.mail import send_due_mails, unsubscribe, unsubscribe_token
from games.notifications.models import Device, Notice
from games.notifications.push import (
    FAILING_LIMIT,
    MAX_DEVICES,
    RETRY_DELAYS,
    add_device,
    remove_device,
    send_due_pushes,
    send_test,
)
from games.privacy.services import delete_account
from tests.support.factories import make_notified_player, make_player, start_match
from tests.support.receiver import Received, Receiver, decrypt, push_subscription, run_receiver
from tests.support.table import Table

OTHER_KEY = "ZYXWVUTSRQPONMLKJIHGFEDCBA9876543210abcdefg"


@pytest.fixture
def push_service(settings: Any) -> Iterator[Receiver]:
    """Run a local push service."""
    settings.HAGGIS_WEBHOOKS_LOCAL = True
    with run_receiver() as receiver:
        receiver.answer = lambda _: 201
        yield receiver


def add_named_device(player: Player, push_service: Receiver, name: str = "phone") -> Device:
    """Add a device of this player at the local push service."""
    return add_device(player=player, name=name, **push_subscription(name, push_service.url))


def send_all() -> int:
    """Make all notices due, send the messages and return how many were accepted."""
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    return send_due_pushes()


def start_match_with_devices(push_service: Receiver, *names: str, **fields: Any) -> tuple[Match, Player]:
    """Start a match of two, and add devices for the player to act. Return the match and that player."""
    people = [make_notified_player("your_turn", way="push", email_confirmed=False) for _ in range(2)]
    match = start_match(*people, **fields)
    first = people[match.to_act or 0]
    for name in names or ("phone",):
        add_named_device(first, push_service, name)
    return match, first


def test_one_push_message_is_sent_to_each_device_for_a_turn(database: str, push_service: Receiver) -> None:
    match, first = start_match_with_devices(push_service, "phone", "desk")
    assert send_due_pushes() == 0, "not yet"
    assert send_all() == 2
    assert {each.path for each in push_service.received} == {"/hook/phone", "/hook/desk"}
    other = match.seats.exclude(player=first).get().player
    assert other is not None
    for each in push_service.received:
        assert json.loads(decrypt(each.body)) == {
            "kind": "your_turn",
            "title": f"Your turn against {other.username}",
            "body": "Ruleset: classic.",
            "path": f"/matches/{match.pk}",
            "tag": match.pk,
        }
        assert each.headers["topic"] == match.pk
        assert (each.headers["ttl"], each.headers["urgency"]) == (str(24 * 3600), "high")
    assert send_all() == 0
    assert all(device.told_at is not None for device in Device.objects.filter(player=first))


def test_ttl_ends_with_the_turn(database: str, push_service: Receiver) -> None:
    start_match_with_devices(push_service, turn_seconds=3600)
    send_all()
    assert 3500 < int(push_service.received[0].headers["ttl"]) <= 3600


def test_message_is_encrypted(database: str, push_service: Receiver) -> None:
    match, _ = start_match_with_devices(push_service)
    send_all()
    [received] = push_service.received
    assert received.headers["content-encoding"] == "aes128gcm"
    assert match.pk.encode() not in received.body
    assert b"turn" not in received.body


def test_message_is_signed_with_the_published_vapid_key(database: str, push_service: Receiver) -> None:
    start_match_with_devices(push_service)
    send_all()
    authorization = push_service.received[0].headers["authorization"]
    assert Vapid02.verify(authorization)
    token, key = (part.partition("=")[2] for part in authorization.removeprefix("vapid ").split(","))
    assert key == encryption.public_key()
    middle = token.split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
    assert claims["aud"] == f"http://127.0.0.1:{push_service.port}"
    assert claims["sub"] == "mailto:haggis@localhost"
    assert 3600 < claims["exp"] - timezone.now().timestamp() < 24 * 3600


def test_no_message_is_sent_if_the_player_has_acted_since(database: str, push_service: Receiver) -> None:
    match, first = start_match_with_devices(push_service)
    [before] = Notice.objects.values()
    Table.of(match).take_turn(bets=False)
    Notice.objects.all().delete()
    Notice.objects.create(**{name: value for name, value in before.items() if name != "id"})
    assert send_all() == 0
    assert not Notice.objects.filter(player=first).exists()


@pytest.mark.parametrize("status", (404, 410))
def test_device_is_deleted_when_its_subscription_is_gone(
    database: str, push_service: Receiver, status: int
) -> None:
    _, first = start_match_with_devices(push_service, "old", "new")
    push_service.answer = lambda received: status if received.path.endswith("old") else 201
    assert send_all() == 1
    assert [device.name for device in Device.objects.filter(player=first)] == ["new"]
    assert not Notice.objects.exists()


@pytest.mark.parametrize("status", (429, 500, 503))
def test_temporary_failure_is_retried_for_the_failed_devices_only(
    database: str, push_service: Receiver, status: int
) -> None:
    _, first = start_match_with_devices(push_service, "here", "away")
    push_service.answer = lambda received: status if received.path.endswith("away") else 201
    away = Device.objects.get(player=first, name="away")
    for wait in RETRY_DELAYS:
        push_service.received.clear()
        send_all()
        assert "/hook/away" in {each.path for each in push_service.received}
        notice = Notice.objects.get()
        assert notice.devices == [away.public_id]
        assert wait * 0.9 < notice.due_at - timezone.now() < wait * 1.1
    assert [each.path for each in push_service.received] == ["/hook/away"]
    assert send_all() == 0
    assert not Notice.objects.exists(), "given up"
    assert Device.objects.get(pk=away.pk).failing_since is not None


def test_rejected_message_is_not_retried(
    database: str, push_service: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    start_match_with_devices(push_service)
    push_service.answer = lambda _: 403
    assert send_all() == 0
    assert not Notice.objects.exists()
    assert "refused a message: 403" in caplog.text
    assert Device.objects.get().failing_since is not None


def test_device_that_fails_for_weeks_is_deleted(database: str, push_service: Receiver) -> None:
    start_match_with_devices(push_service)
    push_service.answer = lambda _: 403
    Device.objects.update(failing_since=timezone.now() - FAILING_LIMIT - timedelta(hours=1))
    send_all()
    assert not Device.objects.exists()


def test_successful_delivery_resets_failing_since(database: str, push_service: Receiver) -> None:
    start_match_with_devices(push_service)
    Device.objects.update(failing_since=timezone.now() - timedelta(days=3))
    send_all()
    assert Device.objects.get().failing_since is None


def test_nothing_is_sent_to_a_private_network(database: str, push_service: Receiver, settings: Any) -> None:
    start_match_with_devices(push_service)
    settings.HAGGIS_WEBHOOKS_LOCAL = False
    assert send_all() == 0
    assert push_service.received == []
    assert not Notice.objects.exists()


def test_without_a_vapid_key_nothing_is_sent_or_queued(
    database: str, push_service: Receiver, settings: Any
) -> None:
    start_match_with_devices(push_service)
    settings.HAGGIS_PUSH_KEY = ""
    assert send_all() == 0
    assert push_service.received == []
    assert not Notice.objects.exists()
    start_match(*(make_notified_player("your_turn", way="push") for _ in range(2)))
    assert not Notice.objects.exists()


def test_mails_and_push_messages_are_sent_separately(
    database: str, push_service: Receiver, mailoutbox: list[Any]
) -> None:
    people = [make_player(notifications={"push": ["your_turn"], "email": ["your_turn"]}) for _ in range(2)]
    Player.objects.update(email="h@example.org", email_confirmed=True)
    for person in people:
        person.refresh_from_db()
        add_named_device(person, push_service, person.username)
    start_match(*people)
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    assert send_due_mails() == 1
    assert (len(mailoutbox), len(push_service.received)) == (1, 0)
    assert send_due_pushes() == 1
    assert (len(mailoutbox), len(push_service.received)) == (1, 1)


def test_unsubscribing_from_mails_leaves_push_enabled(database: str) -> None:
    player = make_player(notifications={"push": ["your_turn"], "email": ["your_turn"]})
    unsubscribe(token=unsubscribe_token(player, ["your_turn"]), everything=True)
    player.refresh_from_db()
    assert player.notifications == {"push": ["your_turn"], "email": []}


def test_match_end_message_contains_the_scores(database: str, push_service: Receiver) -> None:
    me = make_notified_player("match_end", way="push")
    add_named_device(me, push_service)
    match = start_match(me, make_player("thistle"), rounds=1)
    Table.of(match).finish()
    assert send_all() == 1
    message = json.loads(decrypt(push_service.received[0].body))
    result = Match.objects.get(pk=match.pk).result
    assert result is not None
    assert message["title"] == "Your match against thistle is over"
    assert message["body"].endswith(f"{' to '.join(map(str, result['scores']))}.")


def test_test_message_goes_to_one_device(database: str, push_service: Receiver) -> None:
    player = make_player()
    add_named_device(player, push_service, "desk")
    phone = add_named_device(player, push_service)
    send_test(player=player, device_id=phone.public_id)
    send_test(player=player, device_id=phone.public_id)
    assert send_due_pushes() == 1
    [received] = push_service.received
    assert (received.path, json.loads(decrypt(received.body))["kind"]) == ("/hook/phone", "test")


def test_message_of_a_dead_sender_is_sent_after_its_lease_expires(
    database: str, push_service: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_match_with_devices(push_service)

    def die(*_: object) -> Any:
        raise SystemExit

    with monkeypatch.context() as dying:
        dying.setattr(push, "_record_results", die)
        with pytest.raises(SystemExit):
            send_all()
    assert send_due_pushes() == 0, "its lease is not over"
    assert send_all() == 1
    assert len({each.headers["topic"] for each in push_service.received}) == 1, (
        "the second replaces the first"
    )


def test_slow_push_service_does_not_block_other_devices(database: str, push_service: Receiver) -> None:
    start_match_with_devices(push_service, "slow", "quick")
    order: list[str] = []

    def answer(received: Received) -> int:
        if received.path.endswith("slow"):
            push_service.wait_for(2)
        order.append(received.path)
        return 201

    push_service.answer = answer
    assert send_all() == 2
    assert len(order) == 2


def test_subscription_moves_to_the_last_player_who_adds_it(database: str) -> None:
    one, other = make_player(), make_player()
    first = add_device(player=one, **push_subscription("shared"))
    again = add_device(player=one, name="named later", **push_subscription("shared"))
    assert (again.pk, again.name) == (first.pk, "named later")
    add_device(player=other, **push_subscription("shared"))
    assert [device.player for device in Device.objects.all()] == [other]


def test_number_of_devices_is_limited(database: str) -> None:
    player = make_player()
    for number in range(MAX_DEVICES):
        add_device(player=player, **push_subscription(str(number)))
    with pytest.raises(Problem, match="at most"):
        add_device(player=player, **push_subscription("more"))
    add_device(player=player, **push_subscription("0"))


@pytest.mark.parametrize(
    ("change", "pointer"),
    (
        ({"endpoint": "http://push.example/"}, "/endpoint"),
        ({"endpoint": "https://10.0.0.1/"}, "/endpoint"),
        ({"keys": {"p256dh": "A" * 87, "auth": "c2l4dGVlbiBsZXR0ZXJzLg"}}, "/keys/p256dh"),
        ({"keys": {"p256dh": "BA" + "A" * 85, "auth": "c2l4dGVlbiBsZXR0ZXJzLg"}}, "/keys/p256dh"),
        ({"keys": {"p256dh": "", "auth": "c2l4dGVlbiBsZXR0ZXJzLg"}}, "/keys/p256dh"),
        ({"keys": {**push_subscription("x")["keys"], "auth": "short"}}, "/keys/auth"),
        ({"keys": {**push_subscription("x")["keys"], "auth": "=+/ no base64 here"}}, "/keys/auth"),
    ),
)
def test_invalid_subscription_is_rejected(database: str, change: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Problem) as refused:
        add_device(player=make_player(), **push_subscription("x") | change)
    assert [error.pointer for error in refused.value.errors] == [pointer]


def test_device_of_another_player_is_not_found(database: str) -> None:
    device = add_device(player=make_player(), **push_subscription("x"))
    for act in (remove_device, send_test):
        with pytest.raises(Problem, match="Not found"):
            act(player=make_player(), device_id=device.public_id)
    assert Device.objects.exists()


def test_deleting_an_account_deletes_its_devices(database: str) -> None:
    player = make_player()
    add_device(player=player, **push_subscription("x"))
    delete_account(player=player)
    assert not Device.objects.exists()


def test_subscription_url_is_never_printed(database: str) -> None:
    device = add_device(player=make_player(), **push_subscription("capability"))
    assert "capability" not in f"{device} {device!r} {Device.objects.values()}"


def test_public_key_follows_the_setting(settings: Any) -> None:
    before = encryption.public_key()
    settings.HAGGIS_PUSH_KEY = OTHER_KEY
    assert encryption.public_key() != before


def test_push_key_command_generates_usable_random_keys(settings: Any, capsys: Any) -> None:
    lines = []
    for _ in range(2):
        management.call_command("push_key")
        lines.append(capsys.readouterr().out.strip())
    assert lines[0] != lines[1]
    name, _, settings.HAGGIS_PUSH_KEY = lines[0].partition("=")
    assert name == "HAGGIS_PUSH_KEY"
    assert len(encryption.public_key()) == 87


def test_push_is_not_offered_without_its_packages(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    assert recipients.push_is_offered()
    recipients.push_packages_are_installed.cache_clear()
    monkeypatch.setattr(recipients, "PUSH_PACKAGES", ("a_package_that_nobody_has",))
    assert not recipients.push_is_offered()
    with pytest.raises(CommandError, match="requirements-push"):
        management.call_command("push_key")
    recipients.push_packages_are_installed.cache_clear()
