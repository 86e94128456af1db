"""Mails and push messages in the language of their player."""

import json
from datetime import datetime, timedelta

import pytest
from django.core.mail import EmailMessage
from django.utils import timezone

from games.accounts.models import SecurityEvent, SecurityEventKind
from games.accounts.services.mails import Mail, send_account_mail, send_deletion_notice
from games.core.languages import speaking
from games.matches.models.log import NoticeKind
from games.notifications.mail import send_due_mails
from games.notifications.models import Notice
from games.notifications.outbox import NoticeContent, format_deadline, format_result
from games.notifications.push import build_message
from tests.support.clients import make_person
from tests.support.factories import make_notified_player, start_match

Outbox = list[EmailMessage]


@pytest.mark.parametrize(
    ("language", "subject", "text"),
    (
        ("", "Your turn against", "It is your turn"),
        ("de", "Du bist dran gegen", "Zum Abbestellen"),
        ("fr", "À vous de jouer contre", "Pour vous désabonner"),
        ("es", "Te toca contra", "Para darte de baja"),
    ),
)
def test_a_mail_is_in_the_language_of_the_player(
    database: str, mailoutbox: Outbox, language: str, subject: str, text: str
) -> None:
    people = [make_notified_player("your_turn", language=language) for _ in range(2)]
    start_match(*people)
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    assert send_due_mails() == 1
    assert mailoutbox[0].subject.startswith(subject)
    assert text in str(mailoutbox[0].body)


def test_one_run_sends_each_mail_in_its_own_language(database: str, mailoutbox: Outbox) -> None:
    for language in ("de", "fr", ""):
        people = [make_notified_player("your_turn", language=language) for _ in range(2)]
        start_match(*people)
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    assert send_due_mails() == 3
    subjects = sorted(mail.subject.split(" ")[0] for mail in mailoutbox)
    assert subjects == ["Du", "Your", "À"]


@pytest.mark.parametrize(("language", "subject"), (("de", "Setze dein Passwort zurück"), ("", "Reset")))
def test_account_mails_are_in_the_language_of_the_player(
    database: str, mailoutbox: Outbox, language: str, subject: str
) -> None:
    player = make_person(email="h@example.org", email_confirmed=True, language=language)
    send_account_mail(Mail.RESET_PASSWORD, player.pk)
    assert mailoutbox[0].subject.startswith(subject)
    assert "/reset-password#" in str(mailoutbox[0].body)


def test_a_security_notice_is_in_the_language_of_the_player(database: str, mailoutbox: Outbox) -> None:
    player = make_person(email="h@example.org", email_confirmed=True, language="es")
    event = SecurityEvent.objects.create(
        player=player, kind=SecurityEventKind.PASSWORD_CHANGED, email="h@example.org", at=timezone.now()
    )
    send_account_mail(Mail.SECURITY, event.pk)
    assert mailoutbox[0].subject == "Se ha cambiado tu contraseña"


def test_the_notice_of_a_deletion_is_in_the_language_of_the_account(mailoutbox: Outbox) -> None:
    send_deletion_notice("h@example.org", "heather", "fr")
    assert mailoutbox[0].subject == "Votre compte a été supprimé"


@pytest.mark.parametrize(
    ("language", "date"),
    (
        ("", "you have until Thursday 19 November, 21:30"),
        ("de", "du hast Zeit bis Donnerstag, 19. November, 21:30"),
        ("fr", "jeudi 19 novembre, 21:30"),
        ("es", "tienes hasta el jueves 19 de noviembre, 21:30"),
    ),
)
def test_a_deadline_is_written_as_in_the_language(database: str, language: str, date: str) -> None:
    player = make_person(time_zone="Europe/Berlin")
    deadline = datetime.fromisoformat("2026-11-19T20:30:00+00:00")
    content = NoticeContent(kind=NoticeKind.YOUR_TURN, about="m_1", deadline=deadline)
    with speaking(language):
        assert date in format_deadline(content, player)


def test_a_push_message_is_in_the_current_language(database: str) -> None:
    content = NoticeContent(
        kind=NoticeKind.MATCH_END, about="m_1", others=("ben",), winners=("ben", "anna"), scores=(251, 251)
    )
    with speaking("de"):
        assert (
            json.loads(build_message(content, make_person()))["title"] == "Deine Partie gegen ben ist zu Ende"
        )
        assert format_result(content) == "ben und anna haben gewonnen, 251 zu 251"
