"""Notification mails: when they are sent, what they contain, and unsubscribing."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.utils import timezone
from pytest_django import Settings

from games.accounts.models import SentMail
from games.clock.timeouts import reclaim_seat, time_out_due_turns
from games.core.errors import Problem
from games.identity.models import Player
from games.lobby.services.creation import create_match
from games.lobby.services.membership import decline_invitation
from games.matches.models.log import MAIL_CHANNELS, NoticeChannel, NoticeKind
from games.matches.models.match import Match, MatchStatus
from games.notifications import mail as notifications_mail
from games.notifications.mail import (
    LEASE,
    RETRY_DELAYS,
    parse_unsubscribe_token,
    send_due_mails,
    unsubscribe,
    unsubscribe_token,
)
from games.notifications.models import Notice, Webhook
from games.notifications.outbox import claim_notices
from tests.games.notifications.conftest import make_endpoint
from tests.games.notifications.test_notice_rows import ALL
from tests.support.factories import JsonObject, make_notified_player, make_overdue, make_player, start_match
from tests.support.table import Table

Outbox = list[EmailMessage]


def send_all() -> int:
    """Make all notices due, send the mails and return their number."""
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    return send_due_mails()


def test_one_mail_is_sent_for_a_turn(database: str, mailoutbox: Outbox) -> None:
    people = make_notified_player("your_turn"), make_notified_player("your_turn")
    match = start_match(*people)
    first, other = people[match.to_act or 0], people[1 - (match.to_act or 0)]
    assert send_due_mails() == 0, "not yet"
    assert send_all() == 1
    [mail] = mailoutbox
    assert mail.to == [first.email]
    assert mail.subject == f"Your turn against {other.username}"
    assert f"http://localhost:8000/matches/{match.pk}" in str(mail.body)
    assert not Notice.objects.exists()
    assert send_all() == 0


def test_no_mail_is_sent_if_the_player_has_acted_since(database: str, mailoutbox: Outbox) -> None:
    people = make_notified_player("your_turn"), make_notified_player("your_turn")
    match = start_match(*people)
    before = list(Notice.objects.values())
    Table.of(match).take_turn(bets=False)
    Notice.objects.all().delete()
    Notice.objects.create(**{name: value for name, value in before[0].items() if name != "id"})
    assert send_all() == 0
    assert mailoutbox == []
    assert not Notice.objects.exists()


@pytest.mark.parametrize("status", (MatchStatus.PAUSED, MatchStatus.ACTIVE))
def test_turn_mail_is_sent_only_while_the_match_is_active(
    database: str, status: str, mailoutbox: Outbox
) -> None:
    start_match(make_notified_player("your_turn"), make_notified_player("your_turn"))
    Match.objects.update(status=status)
    assert send_all() == (status == MatchStatus.ACTIVE)


def test_no_mail_is_sent_after_opting_out_or_without_a_confirmed_address(
    database: str, mailoutbox: Outbox
) -> None:
    start_match(make_notified_player("your_turn"), make_notified_player("your_turn"))
    Player.objects.update(notifications={"email": ["match_end"]})
    assert send_all() == 0
    start_match(make_notified_player("your_turn"), make_notified_player("your_turn"))
    Player.objects.update(email_confirmed=False)
    assert send_all() == 0
    assert not Notice.objects.exists()


def test_mails_beyond_the_limit_wait_and_are_combined(
    database: str, mailoutbox: Outbox, settings: Settings
) -> None:
    settings.HAGGIS_MAIL_LIMITS = {"notices": (2, 3600)}
    busy = make_notified_player("invitation")
    for number in range(4):
        create_match(
            maker=make_player(),
            body={
                "ruleset": "classic",
                "seats": [{"kind": "me"}, {"kind": "player", "username": busy.username}],
            },
        )
        assert send_due_mails() == (number < 2)
    assert len(mailoutbox) == 2
    assert Notice.objects.filter(due_at__gt=timezone.now() + timedelta(minutes=59)).count() == 2
    SentMail.objects.update(at=timezone.now() - timedelta(hours=1, seconds=1))
    assert send_all() == 1
    assert mailoutbox[-1].subject == "Haggis: 2 updates"


def start_match_with_caretaker() -> tuple[Match, Player]:
    """Start a match in which an AI has replaced a player after a timeout, and return that player too."""
    people = make_notified_player("caretaker"), make_notified_player("caretaker")
    match = start_match(*people, turn_seconds=10, timeouts_allowed=0)
    make_overdue(match)
    time_out_due_turns()
    return match, people[match.to_act or 0]


def test_caretaker_mail_links_to_the_match(database: str, mailoutbox: Outbox) -> None:
    match, player = start_match_with_caretaker()
    assert send_all() == 1
    [mail] = mailoutbox
    assert mail.to == [player.email]
    assert mail.subject.startswith("An AI is playing for you against ")
    assert f"http://localhost:8000/matches/{match.pk}" in str(mail.body)


def test_no_caretaker_mail_is_sent_after_the_seat_is_reclaimed(database: str, mailoutbox: Outbox) -> None:
    match, player = start_match_with_caretaker()
    reclaim_seat(match_id=match.pk, player=player)
    assert send_all() == 0
    assert mailoutbox == []


def test_several_turns_are_combined_in_one_mail(database: str, mailoutbox: Outbox) -> None:
    me = make_notified_player("your_turn")
    matches = [start_match(me, make_player()) for _ in range(6)]
    mine = [match.pk for match in matches if match.to_act == 0]
    assert send_all() == min(1, len(mine))
    for mail in mailoutbox:
        assert sorted(re.findall(r"/matches/(m_\w+)", str(mail.body))) == sorted(mine)


def test_digest_combines_notices_in_one_mail(database: str, mailoutbox: Outbox) -> None:
    me = make_notified_player("your_turn", "invitation", way="digest")
    start_match(me, me_too := make_notified_player("your_turn", way="digest"))
    seats: list[JsonObject] = [{"kind": "me"}, {"kind": "player", "username": me.username}]
    create_match(maker=me_too, body={"ruleset": "classic", "seats": seats})
    send_all()
    mails = {mail.to[0]: mail for mail in mailoutbox}
    assert mails[me.email].subject.startswith("Haggis today: ")
    assert "You are invited to a match" in str(mails[me.email].body)


def test_no_mail_is_sent_for_a_declined_invitation(database: str, mailoutbox: Outbox) -> None:
    invited, maker = make_notified_player("invitation"), make_player("thistle")
    seats: list[JsonObject] = [{"kind": "me"}, {"kind": "player", "username": invited.username}]
    first, second = (create_match(maker=maker, body={"ruleset": "classic", "seats": seats}) for _ in range(2))
    decline_invitation(match_id=first["id"], player=invited)
    assert send_all() == 1
    assert mailoutbox[0].subject == "Invitation to a match of Haggis with thistle"
    assert first["id"] not in str(mailoutbox[0].body)
    assert second["id"] in str(mailoutbox[0].body)


def test_match_end_mail_contains_the_scores(database: str, mailoutbox: Outbox) -> None:
    me = make_notified_player("match_end")
    match = start_match(me, make_player("thistle"), rounds=1)
    Table.of(match).finish()
    assert send_all() == 1
    result = Match.objects.get(pk=match.pk).result
    assert result is not None
    assert " to ".join(map(str, result["scores"])) in str(mailoutbox[0].body)


def test_mail_has_one_click_unsubscribe_headers(database: str, mailoutbox: Outbox) -> None:
    people = make_notified_player("your_turn", "match_end"), make_notified_player("your_turn", "match_end")
    match = start_match(*people)
    send_all()
    headers = mailoutbox[0].message()
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = str(headers["List-Unsubscribe"])
    found = re.fullmatch(r"<http://localhost:8000/unsubscribe\?token=(.+)>", address.replace("\n ", ""))
    assert found is not None
    unsubscribe(token=found[1])
    player = Player.objects.get(pk=people[match.to_act or 0].pk)
    assert player.notifications == {"email": ["match_end"]}
    unsubscribe(token=found[1], everything=True)
    assert Player.objects.get(pk=player.pk).notifications == {"email": []}


@pytest.mark.parametrize("token", ("", "x", "a:b:c", "W10:1:x", "\u00e9", "x" * 5000))
def test_invalid_unsubscribe_token_is_rejected(database: str, token: str) -> None:
    for use in (parse_unsubscribe_token, lambda token: unsubscribe(token=token)):
        with pytest.raises(Problem, match="not valid"):
            use(token)


def test_unsubscribe_token_affects_one_player_only(database: str) -> None:
    one, other = make_notified_player(*ALL), make_notified_player(*ALL)
    unsubscribe(token=unsubscribe_token(one, ["your_turn"]))
    assert Player.objects.get(pk=other.pk).notifications == {"email": ALL}


@pytest.fixture
def _unavailable_mail_server(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Any:
        raise ConnectionRefusedError

    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", fail)


@pytest.mark.usefixtures("_unavailable_mail_server")
def test_mail_is_retried_with_backoff_and_finally_dropped(database: str) -> None:
    start_match(make_notified_player("your_turn"), make_notified_player("your_turn"))
    for wait in RETRY_DELAYS:
        assert send_all() == 0
        assert wait * 0.9 < Notice.objects.get().due_at - timezone.now() < wait * 1.1
    assert send_all() == 0
    assert not Notice.objects.exists()


def test_mail_of_a_dead_sender_is_sent_after_its_lease_expires(
    database: str, mailoutbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_match(make_notified_player("your_turn"), make_notified_player("your_turn"))
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    send_mail: Callable[[list[Notice]], bool] = notifications_mail._send_mail
    monkeypatch.setattr(notifications_mail, "_send_mail", lambda _: False)
    send_due_mails()
    monkeypatch.setattr(notifications_mail, "_send_mail", send_mail)
    assert send_due_mails() == 0
    assert Notice.objects.get().due_at > timezone.now() + LEASE * 0.9
    assert send_all() == 1


def test_notice_replaced_during_sending_is_not_deleted(database: str, mailoutbox: Outbox) -> None:
    start_match(make_notified_player("your_turn"), make_notified_player("your_turn"))
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    [claimed] = claim_notices(MAIL_CHANNELS, at_most=10, lease=LEASE)
    Notice.objects.update(version=9, due_at=timezone.now() + timedelta(minutes=5))
    assert notifications_mail._send_mail([claimed])
    assert Notice.objects.get().version == 9


def test_webhook_stopped_mail_ignores_notification_settings(database: str, mailoutbox: Outbox) -> None:
    player = make_notified_player()
    webhook = make_endpoint(player)
    Webhook.objects.update(active=False, stopped_because="failing", stopped_at=timezone.now())
    Notice.objects.create(
        player=player, kind=NoticeKind.WEBHOOK_STOPPED, way=NoticeChannel.EMAIL, about=webhook.public_id,
        version=0, due_at=timezone.now(),
    )  # fmt: skip
    assert send_all() == 1
    assert webhook.public_id in str(mailoutbox[0].body)
    assert "List-Unsubscribe" not in mailoutbox[0].message()
