"""Mails: sent when due and still true, one for each player, with a way out of them, and no secret in them."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.utils import timezone

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
from tests.games.notifications.conftest import endpoint
from tests.games.notifications.test_notice_rows import ALL, move, wanting
from tests.support.factories import make_overdue, make_player, start_match

Outbox = list[EmailMessage]


def send_all() -> int:
    """Let everything be due, and send it."""
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    return send_due_mails()


def test_whose_turn_it_is_is_told_once(database: str, mailoutbox: Outbox) -> None:
    people = wanting("your_turn"), wanting("your_turn")
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


def test_whoever_has_acted_meanwhile_is_not_told(database: str, mailoutbox: Outbox) -> None:
    people = wanting("your_turn"), wanting("your_turn")
    match = start_match(*people)
    before = list(Notice.objects.values())
    while move(match) == "bet":
        pass
    Notice.objects.all().delete()
    Notice.objects.create(**{name: value for name, value in before[0].items() if name != "id"})
    assert send_all() == 0
    assert mailoutbox == []
    assert not Notice.objects.exists()


@pytest.mark.parametrize("status", (MatchStatus.PAUSED, MatchStatus.ACTIVE))
def test_nobody_is_told_of_a_turn_that_does_not_run(database: str, status: str, mailoutbox: Outbox) -> None:
    start_match(wanting("your_turn"), wanting("your_turn"))
    Match.objects.update(status=status)
    assert send_all() == (status == MatchStatus.ACTIVE)


def test_whoever_has_changed_their_mind_is_not_told(database: str, mailoutbox: Outbox) -> None:
    start_match(wanting("your_turn"), wanting("your_turn"))
    Player.objects.update(notifications={"email": ["match_end"]})
    assert send_all() == 0
    start_match(wanting("your_turn"), wanting("your_turn"))
    Player.objects.update(email_confirmed=False)
    assert send_all() == 0
    assert not Notice.objects.exists()


def late_at_a_table() -> tuple[Match, Player]:
    """A match in which an AI plays for somebody who wants to be told of that."""
    people = wanting("caretaker"), wanting("caretaker")
    match = start_match(*people, turn_seconds=10, timeouts_allowed=0)
    make_overdue(match)
    time_out_due_turns()
    return match, people[match.to_act or 0]


def test_whoever_has_an_ai_play_for_them_is_told_where_to_take_the_seat_back(
    database: str, mailoutbox: Outbox
) -> None:
    match, late = late_at_a_table()
    assert send_all() == 1
    [mail] = mailoutbox
    assert mail.to == [late.email]
    assert mail.subject.startswith("An AI is playing for you against ")
    assert f"http://localhost:8000/matches/{match.pk}" in str(mail.body)


def test_whoever_has_taken_the_seat_back_meanwhile_is_not_told(database: str, mailoutbox: Outbox) -> None:
    match, late = late_at_a_table()
    reclaim_seat(match_id=match.pk, player=late)
    assert send_all() == 0
    assert mailoutbox == []


def test_several_turns_are_told_in_one_mail(database: str, mailoutbox: Outbox) -> None:
    me = wanting("your_turn")
    matches = [start_match(me, make_player()) for _ in range(6)]
    mine = [match.pk for match in matches if match.to_act == 0]
    assert send_all() == min(1, len(mine))
    for mail in mailoutbox:
        assert sorted(re.findall(r"/matches/(m_\w+)", str(mail.body))) == sorted(mine)


def test_a_day_is_told_in_one_mail_of_its_own(database: str, mailoutbox: Outbox) -> None:
    me = wanting("your_turn", "invitation", way="digest")
    start_match(me, me_too := wanting("your_turn", way="digest"))
    seats = [{"kind": "me"}, {"kind": "player", "username": me.username}]
    create_match(maker=me_too, body={"ruleset": "classic", "seats": seats})
    send_all()
    mails = {mail.to[0]: mail for mail in mailoutbox}
    assert mails[me.email].subject.startswith("Haggis today: ")
    assert "You are invited to a match" in str(mails[me.email].body)


def test_an_invitation_that_was_declined_is_not_told(database: str, mailoutbox: Outbox) -> None:
    asked, maker = wanting("invitation"), make_player("thistle")
    seats = [{"kind": "me"}, {"kind": "player", "username": asked.username}]
    first, second = (create_match(maker=maker, body={"ruleset": "classic", "seats": seats}) for _ in range(2))
    decline_invitation(match_id=first["id"], player=asked)
    assert send_all() == 1
    assert mailoutbox[0].subject == "Invitation to a match of Haggis with thistle"
    assert first["id"] not in str(mailoutbox[0].body)
    assert second["id"] in str(mailoutbox[0].body)


def test_the_end_says_who_won(database: str, mailoutbox: Outbox) -> None:
    me = wanting("match_end")
    match = start_match(me, make_player("thistle"), rounds=1)
    for number in range(2000):
        if Match.objects.get(pk=match.pk).status == "finished":
            break
        move(match, number)
    assert send_all() == 1
    result = Match.objects.get(pk=match.pk).result
    assert result is not None
    assert " to ".join(map(str, result["scores"])) in str(mailoutbox[0].body)


def test_a_mail_has_the_way_out_that_mail_programs_know(database: str, mailoutbox: Outbox) -> None:
    people = wanting("your_turn", "match_end"), wanting("your_turn", "match_end")
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
def test_a_way_out_that_is_none_is_refused(database: str, token: str) -> None:
    for use in (parse_unsubscribe_token, lambda token: unsubscribe(token=token)):
        with pytest.raises(Problem, match="not valid"):
            use(token)


def test_a_way_out_is_for_one_player(database: str) -> None:
    one, other = wanting(*ALL), wanting(*ALL)
    unsubscribe(token=unsubscribe_token(one, ["your_turn"]))
    assert Player.objects.get(pk=other.pk).notifications == {"email": ALL}


@pytest.fixture
def _mail_server_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> Any:
        raise ConnectionRefusedError

    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", away)


@pytest.mark.usefixtures("_mail_server_is_away")
def test_a_mail_server_that_is_away_is_asked_again_and_not_for_ever(database: str) -> None:
    start_match(wanting("your_turn"), wanting("your_turn"))
    for wait in RETRY_DELAYS:
        assert send_all() == 0
        assert wait * 0.9 < Notice.objects.get().due_at - timezone.now() < wait * 1.1
    assert send_all() == 0
    assert not Notice.objects.exists()


def test_what_a_dead_sender_had_in_hand_is_told_by_another(
    database: str, mailoutbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_match(wanting("your_turn"), wanting("your_turn"))
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    tell: Callable[[list[Notice]], bool] = notifications_mail._send_mail
    monkeypatch.setattr(notifications_mail, "_send_mail", lambda _: False)
    send_due_mails()
    monkeypatch.setattr(notifications_mail, "_send_mail", tell)
    assert send_due_mails() == 0
    assert Notice.objects.get().due_at > timezone.now() + LEASE * 0.9
    assert send_all() == 1


def test_what_was_put_in_its_place_meanwhile_is_not_forgotten(database: str, mailoutbox: Outbox) -> None:
    start_match(wanting("your_turn"), wanting("your_turn"))
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    [claimed] = claim_notices(MAIL_CHANNELS, at_most=10, lease=LEASE)
    Notice.objects.update(version=9, due_at=timezone.now() + timedelta(minutes=5))
    assert notifications_mail._send_mail([claimed])
    assert Notice.objects.get().version == 9


def test_whose_endpoint_was_stopped_is_told_whatever_they_want_to_be_told(
    database: str, mailoutbox: Outbox
) -> None:
    player = wanting()
    webhook = endpoint(player)
    Webhook.objects.update(active=False, stopped_because="failing", stopped_at=timezone.now())
    Notice.objects.create(
        player=player, kind=NoticeKind.WEBHOOK_STOPPED, way=NoticeChannel.EMAIL, about=webhook.public_id,
        version=0, due_at=timezone.now(),
    )  # fmt: skip
    assert send_all() == 1
    assert webhook.public_id in str(mailoutbox[0].body)
    assert "List-Unsubscribe" not in mailoutbox[0].message()
