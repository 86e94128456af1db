"""Account mails."""

from collections.abc import Iterator

import pytest
from django.core.mail import EmailMessage
from pytest_django import DjangoCaptureOnCommitCallbacks

from games.accounts.services import mails
from games.accounts.services.mails import Mail, send_account_mail, send_on_commit, set_mail_sender
from games.identity.models import Player
from tests.support.clients import make_person


@pytest.fixture
def _restore_mail_sender() -> Iterator[None]:
    original = mails._sender[0]
    yield
    set_mail_sender(original)


@pytest.mark.usefixtures("_restore_mail_sender")
def test_the_mail_sender_receives_the_kind_and_the_player_but_no_secret(
    database: str, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    sent: list[tuple[str, int]] = []
    set_mail_sender(lambda kind, player_id: sent.append((kind, player_id)))
    player = make_person(email="h@example.org")
    with django_capture_on_commit_callbacks(execute=True):
        send_on_commit(kind=Mail.CONFIRM_EMAIL, about=player.pk)
        assert sent == []
    assert sent == [("confirm_email", player.pk)]


def test_an_obsolete_mail_is_not_sent(database: str, mailoutbox: list[EmailMessage]) -> None:
    confirmed = make_person(email="c@example.org", email_confirmed=True)
    unconfirmed = make_person(email="u@example.org")
    banned = make_person(email="s@example.org", is_active=False)
    without_address = make_person()
    send_account_mail(Mail.CONFIRM_EMAIL, confirmed.pk)
    send_account_mail(Mail.RESET_PASSWORD, unconfirmed.pk)
    send_account_mail(Mail.CONFIRM_EMAIL, banned.pk)
    send_account_mail(Mail.CONFIRM_EMAIL, without_address.pk)
    send_account_mail(Mail.CONFIRM_EMAIL, 0)
    assert mailoutbox == []


def test_a_mail_contains_the_username_and_a_link_to_the_service(
    database: str, mailoutbox: list[EmailMessage], settings: object
) -> None:
    player = make_person("heather", email="h@example.org")
    send_account_mail(Mail.CONFIRM_EMAIL, player.pk)
    assert "heather" in str(mailoutbox[0].body)
    assert "http://localhost:8000/confirm-email#" in str(mailoutbox[0].body)
    assert Player.objects.get(pk=player.pk).password not in str(mailoutbox[0].message())
