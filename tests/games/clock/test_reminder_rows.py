"""Reminders are sent once per turn, to players who want them and have not acted yet."""

from datetime import timedelta

from django.core.mail import EmailMessage
from django.utils import timezone

from games.clock.reminders import write_due_reminders
from games.identity.models import Player
from games.matches.models.match import Match
from games.notifications.models import Notice
from games.sweep.tasks import sweep
from tests.games.notifications.test_mail import send_all
from tests.support.factories import make_notified_player, start_match
from tests.support.table import Table

DAY = 24 * 3600


def match_with_due_reminder() -> tuple[Match, Player, Player]:
    """Return a match with a due reminder, the player to act and the other player."""
    people = make_notified_player("reminder"), make_notified_player("reminder")
    match = start_match(*people, turn_seconds=DAY, target_score=1000)
    assert match.remind_at is not None
    Match.objects.filter(pk=match.pk).update(remind_at=timezone.now() - timedelta(seconds=1))
    to_act = match.to_act or 0
    return match, people[to_act], people[1 - to_act]


def test_player_is_reminded_once(database: str, mailoutbox: list[EmailMessage]) -> None:
    match, late, _ = match_with_due_reminder()
    assert write_due_reminders() == 1
    assert write_due_reminders() == 0
    assert send_all() == 1
    [mail] = mailoutbox
    assert mail.to == [late.email]
    assert mail.subject.startswith("Your time is running out")
    assert "until" in str(mail.body)
    assert match.pk in str(mail.body)


def test_bet_of_another_player_causes_no_second_reminder(
    database: str, mailoutbox: list[EmailMessage]
) -> None:
    match, _, other = match_with_due_reminder()
    write_due_reminders()
    send_all()
    Table.of(match).bet(other.username, 15)
    assert Match.objects.get(pk=match.pk).remind_at is None
    assert write_due_reminders() == 0


def test_next_turn_has_its_own_reminder(database: str) -> None:
    match, *_ = match_with_due_reminder()
    write_due_reminders()
    Table.of(match).take_turn(bets=False)
    remind_at = Match.objects.get(pk=match.pk).remind_at
    assert remind_at is not None
    assert remind_at > timezone.now()


def test_player_who_has_acted_is_not_reminded(database: str, mailoutbox: list[EmailMessage]) -> None:
    match, *_ = match_with_due_reminder()
    write_due_reminders()
    Table.of(match).take_turn(bets=False)
    assert send_all() == 0
    assert mailoutbox == []


def test_no_reminder_is_sent_to_players_who_turned_them_off(database: str) -> None:
    match_with_due_reminder()
    Player.objects.update(notifications={})
    assert write_due_reminders() == 1
    assert not Notice.objects.exists()


def test_sweep_writes_due_reminders(database: str) -> None:
    match, late, _ = match_with_due_reminder()
    sweep()
    [notice] = Notice.objects.filter(kind="reminder")
    assert (notice.about, notice.player) == (match.pk, late)
    assert Match.objects.get(pk=match.pk).remind_at is None
