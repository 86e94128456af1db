"""Push messages: due and still true, encrypted for one browser, signed, and what push services answer."""

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
from games.matches import outbox
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
from tests.games.notifications.test_notice_rows import move, wanting
from tests.support.factories import make_player, start_match
from tests.support.receiver import Received, Receiver, read, receiving, subscription

OTHER_KEY = "ZYXWVUTSRQPONMLKJIHGFEDCBA9876543210abcdefg"


@pytest.fixture
def service(settings: Any) -> Iterator[Receiver]:
    """A push service on this machine."""
    settings.HAGGIS_WEBHOOKS_LOCAL = True
    with receiving() as there:
        there.answer = lambda _: 201
        yield there


def device_of(player: Player, service: Receiver, name: str = "phone") -> Device:
    """A browser of this player that uses this push service."""
    return add_device(player=player, name=name, **subscription(name, service.url))


def send_all() -> int:
    """Let everything be due, and send it."""
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    return send_due_pushes()


def turn_of_somebody(service: Receiver, *names: str, **fields: Any) -> tuple[Match, Player]:
    """A match of two who are told of their turns on these devices, and who is to act."""
    people = [wanting("your_turn", way="push", email_confirmed=False) for _ in range(2)]
    match = start_match(*people, **fields)
    first = people[match.to_act or 0]
    for name in names or ("phone",):
        device_of(first, service, name)
    return match, first


def test_whose_turn_it_is_is_told_once_on_each_device(database: str, service: Receiver) -> None:
    match, first = turn_of_somebody(service, "phone", "desk")
    assert send_due_pushes() == 0, "not yet"
    assert send_all() == 2
    assert {each.path for each in service.received} == {"/hook/phone", "/hook/desk"}
    other = match.seats.exclude(player=first).get().player
    assert other is not None
    for each in service.received:
        assert json.loads(read(each.body)) == {
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


def test_a_message_is_worth_delivering_until_the_turn_is_over(database: str, service: Receiver) -> None:
    turn_of_somebody(service, turn_seconds=3600)
    send_all()
    assert 3500 < int(service.received[0].headers["ttl"]) <= 3600


def test_nobody_but_the_browser_can_read_a_message(database: str, service: Receiver) -> None:
    match, _ = turn_of_somebody(service)
    send_all()
    [received] = service.received
    assert received.headers["content-encoding"] == "aes128gcm"
    assert match.pk.encode() not in received.body
    assert b"turn" not in received.body


def test_a_message_is_signed_for_the_push_service_by_the_key_that_browsers_know(
    database: str, service: Receiver
) -> None:
    turn_of_somebody(service)
    send_all()
    authorization = service.received[0].headers["authorization"]
    assert Vapid02.verify(authorization)
    token, key = (part.partition("=")[2] for part in authorization.removeprefix("vapid ").split(","))
    assert key == encryption.public_key()
    middle = token.split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
    assert claims["aud"] == f"http://127.0.0.1:{service.port}"
    assert claims["sub"] == "mailto:haggis@localhost"
    assert 3600 < claims["exp"] - timezone.now().timestamp() < 24 * 3600


def test_whoever_has_acted_meanwhile_is_not_told(database: str, service: Receiver) -> None:
    match, first = turn_of_somebody(service)
    [before] = Notice.objects.values()
    while move(match) == "bet":
        pass
    Notice.objects.all().delete()
    Notice.objects.create(**{name: value for name, value in before.items() if name != "id"})
    assert send_all() == 0
    assert not Notice.objects.filter(player=first).exists()


@pytest.mark.parametrize("status", (404, 410))
def test_a_browser_that_its_push_service_knows_no_more_is_forgotten(
    database: str, service: Receiver, status: int
) -> None:
    _, first = turn_of_somebody(service, "old", "new")
    service.answer = lambda received: status if received.path.endswith("old") else 201
    assert send_all() == 1
    assert [device.name for device in Device.objects.filter(player=first)] == ["new"]
    assert not Notice.objects.exists()


@pytest.mark.parametrize("status", (429, 500, 503))
def test_a_push_service_that_is_away_is_asked_again_for_its_devices_alone(
    database: str, service: Receiver, status: int
) -> None:
    _, first = turn_of_somebody(service, "here", "away")
    service.answer = lambda received: status if received.path.endswith("away") else 201
    away = Device.objects.get(player=first, name="away")
    for wait in RETRY_DELAYS:
        service.received.clear()
        send_all()
        assert "/hook/away" in {each.path for each in service.received}
        notice = Notice.objects.get()
        assert notice.devices == [away.public_id]
        assert wait * 0.9 < notice.due_at - timezone.now() < wait * 1.1
    assert [each.path for each in service.received] == ["/hook/away"]
    assert send_all() == 0
    assert not Notice.objects.exists(), "given up"
    assert Device.objects.get(pk=away.pk).failing_since is not None


def test_a_message_that_is_refused_is_not_sent_again(
    database: str, service: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    turn_of_somebody(service)
    service.answer = lambda _: 403
    assert send_all() == 0
    assert not Notice.objects.exists()
    assert "refused a message: 403" in caplog.text
    assert Device.objects.get().failing_since is not None


def test_a_device_that_nothing_has_arrived_at_for_weeks_is_forgotten(
    database: str, service: Receiver
) -> None:
    turn_of_somebody(service)
    service.answer = lambda _: 403
    Device.objects.update(failing_since=timezone.now() - FAILING_LIMIT - timedelta(hours=1))
    send_all()
    assert not Device.objects.exists()


def test_what_arrives_again_makes_a_device_whole(database: str, service: Receiver) -> None:
    turn_of_somebody(service)
    Device.objects.update(failing_since=timezone.now() - timedelta(days=3))
    send_all()
    assert Device.objects.get().failing_since is None


def test_nothing_is_sent_into_a_private_network(database: str, service: Receiver, settings: Any) -> None:
    turn_of_somebody(service)
    settings.HAGGIS_WEBHOOKS_LOCAL = False
    assert send_all() == 0
    assert service.received == []
    assert not Notice.objects.exists()


def test_a_service_without_a_key_sends_nothing_and_keeps_nothing(
    database: str, service: Receiver, settings: Any
) -> None:
    turn_of_somebody(service)
    settings.HAGGIS_PUSH_KEY = ""
    assert send_all() == 0
    assert service.received == []
    assert not Notice.objects.exists()
    start_match(*(wanting("your_turn", way="push") for _ in range(2)))
    assert not Notice.objects.exists()


def test_a_mail_is_no_push_message_nor_the_other_way_round(
    database: str, service: Receiver, mailoutbox: list[Any]
) -> None:
    people = [make_player(notifications={"push": ["your_turn"], "email": ["your_turn"]}) for _ in range(2)]
    Player.objects.update(email="h@example.org", email_confirmed=True)
    for person in people:
        person.refresh_from_db()
        device_of(person, service, person.username)
    start_match(*people)
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    assert send_due_mails() == 1
    assert (len(mailoutbox), len(service.received)) == (1, 0)
    assert send_due_pushes() == 1
    assert (len(mailoutbox), len(service.received)) == (1, 1)


def test_whoever_wants_no_more_mails_is_told_on_their_devices_still(database: str) -> None:
    player = make_player(notifications={"push": ["your_turn"], "email": ["your_turn"]})
    unsubscribe(token=unsubscribe_token(player, ["your_turn"]), everything=True)
    player.refresh_from_db()
    assert player.notifications == {"push": ["your_turn"], "email": []}


def test_the_end_says_who_won(database: str, service: Receiver) -> None:
    me = wanting("match_end", way="push")
    device_of(me, service)
    match = start_match(me, make_player("thistle"), rounds=1)
    for number in range(2000):
        if Match.objects.get(pk=match.pk).status == "finished":
            break
        move(match, number)
    assert send_all() == 1
    told = json.loads(read(service.received[0].body))
    result = Match.objects.get(pk=match.pk).result
    assert result is not None
    assert told["title"] == "Your match against thistle is over"
    assert told["body"].endswith(f"{' to '.join(map(str, result['scores']))}.")


def test_a_test_goes_to_one_device_and_says_that_it_has_arrived(database: str, service: Receiver) -> None:
    player = make_player()
    device_of(player, service, "desk")
    phone = device_of(player, service)
    send_test(player=player, device_id=phone.public_id)
    send_test(player=player, device_id=phone.public_id)
    assert send_due_pushes() == 1
    [received] = service.received
    assert (received.path, json.loads(read(received.body))["kind"]) == ("/hook/phone", "test")


def test_what_a_dead_sender_had_in_hand_is_told_by_another(
    database: str, service: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_of_somebody(service)

    def die(*_: object) -> Any:
        raise SystemExit

    with monkeypatch.context() as dying:
        dying.setattr(push, "_record_results", die)
        with pytest.raises(SystemExit):
            send_all()
    assert send_due_pushes() == 0, "its lease is not over"
    assert send_all() == 1
    assert len({each.headers["topic"] for each in service.received}) == 1, "the second replaces the first"


def test_a_slow_push_service_holds_nobody_else_up(database: str, service: Receiver) -> None:
    turn_of_somebody(service, "slow", "quick")
    order: list[str] = []

    def answer(received: Received) -> int:
        if received.path.endswith("slow"):
            service.wait_for(2)
        order.append(received.path)
        return 201

    service.answer = answer
    assert send_all() == 2
    assert len(order) == 2


# --- Devices


def test_a_browser_is_told_for_one_player(database: str) -> None:
    one, other = make_player(), make_player()
    first = add_device(player=one, **subscription("shared"))
    again = add_device(player=one, name="named later", **subscription("shared"))
    assert (again.pk, again.name) == (first.pk, "named later")
    add_device(player=other, **subscription("shared"))
    assert [device.player for device in Device.objects.all()] == [other]


def test_there_are_so_many_devices_and_no_more(database: str) -> None:
    player = make_player()
    for number in range(MAX_DEVICES):
        add_device(player=player, **subscription(str(number)))
    with pytest.raises(Problem, match="at most"):
        add_device(player=player, **subscription("more"))
    add_device(player=player, **subscription("0"))


@pytest.mark.parametrize(
    ("change", "pointer"),
    (
        ({"endpoint": "http://push.example/"}, "/endpoint"),
        ({"endpoint": "https://10.0.0.1/"}, "/endpoint"),
        ({"keys": {"p256dh": "A" * 87, "auth": "c2l4dGVlbiBsZXR0ZXJzLg"}}, "/keys/p256dh"),
        ({"keys": {"p256dh": "BA" + "A" * 85, "auth": "c2l4dGVlbiBsZXR0ZXJzLg"}}, "/keys/p256dh"),
        ({"keys": {"p256dh": "", "auth": "c2l4dGVlbiBsZXR0ZXJzLg"}}, "/keys/p256dh"),
        ({"keys": {**subscription("x")["keys"], "auth": "short"}}, "/keys/auth"),
        ({"keys": {**subscription("x")["keys"], "auth": "=+/ no base64 here"}}, "/keys/auth"),
    ),
)
def test_what_no_browser_gives_is_refused(database: str, change: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Problem) as refused:
        add_device(player=make_player(), **subscription("x") | change)
    assert [error.pointer for error in refused.value.errors] == [pointer]


def test_a_device_is_its_players_alone(database: str) -> None:
    device = add_device(player=make_player(), **subscription("x"))
    for act in (remove_device, send_test):
        with pytest.raises(Problem, match="nothing here"):
            act(player=make_player(), device_id=device.public_id)
    assert Device.objects.exists()


def test_a_deleted_account_leaves_no_device(database: str) -> None:
    player = make_player()
    add_device(player=player, **subscription("x"))
    delete_account(player=player)
    assert not Device.objects.exists()


def test_where_a_browser_is_reached_is_printed_nowhere(database: str) -> None:
    device = add_device(player=make_player(), **subscription("capability"))
    assert "capability" not in f"{device} {device!r} {Device.objects.values()}"


# --- The key


def test_another_key_is_another_public_key(settings: Any) -> None:
    before = encryption.public_key()
    settings.HAGGIS_PUSH_KEY = OTHER_KEY
    assert encryption.public_key() != before


def test_a_new_key_can_be_set_and_is_never_the_same(settings: Any, capsys: Any) -> None:
    lines = []
    for _ in range(2):
        management.call_command("push_key")
        lines.append(capsys.readouterr().out.strip())
    assert lines[0] != lines[1]
    name, _, settings.HAGGIS_PUSH_KEY = lines[0].partition("=")
    assert name == "HAGGIS_PUSH_KEY"
    assert len(encryption.public_key()) == 87


def test_without_its_packages_nothing_is_offered(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    assert outbox.push_is_offered()
    outbox.push_packages_are_installed.cache_clear()
    monkeypatch.setattr(outbox, "PUSH_PACKAGES", ("a_package_that_nobody_has",))
    assert not outbox.push_is_offered()
    with pytest.raises(CommandError, match="requirements-push"):
        management.call_command("push_key")
    outbox.push_packages_are_installed.cache_clear()
