"""Mails about accounts."""

from collections.abc import Iterator

import pytest
from django.core.mail import EmailMessage
from pytest_django import DjangoCaptureOnCommitCallbacks

from games.accounts.services import mails
from games.accounts.services.mails import Mail, send_account_mail, send_on_commit, set_mail_sender
from games.identity.models import Player
from tests.support.clients import person


@pytest.fixture
def _own_postman() -> Iterator[None]:
    before = mails._sender[0]
    yield
    set_mail_sender(before)


@pytest.mark.usefixtures("_own_postman")
def test_what_is_handed_on_names_the_mail_and_the_player_and_no_secret(
    database: str, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    handed: list[tuple[str, int]] = []
    set_mail_sender(lambda kind, player_id: handed.append((kind, player_id)))
    player = person(email="h@example.org")
    with django_capture_on_commit_callbacks(execute=True):
        send_on_commit(kind=Mail.CONFIRM_EMAIL, player_id=player.pk)
        assert handed == []
    assert handed == [("confirm_email", player.pk)]


def test_a_mail_that_is_no_longer_wanted_is_not_sent(database: str, mailoutbox: list[EmailMessage]) -> None:
    confirmed = person(email="c@example.org", email_confirmed=True)
    unconfirmed = person(email="u@example.org")
    shut_out = person(email="s@example.org", is_active=False)
    addressless = person()
    send_account_mail(Mail.CONFIRM_EMAIL, confirmed.pk)
    send_account_mail(Mail.RESET_PASSWORD, unconfirmed.pk)
    send_account_mail(Mail.CONFIRM_EMAIL, shut_out.pk)
    send_account_mail(Mail.CONFIRM_EMAIL, addressless.pk)
    send_account_mail(Mail.CONFIRM_EMAIL, 0)
    assert mailoutbox == []


def test_a_mail_names_the_account_and_leads_to_the_pages_of_the_service(
    database: str, mailoutbox: list[EmailMessage], settings: object
) -> None:
    player = person("heather", email="h@example.org")
    send_account_mail(Mail.CONFIRM_EMAIL, player.pk)
    assert "heather" in str(mailoutbox[0].body)
    assert "http://localhost:8000/confirm-email#" in str(mailoutbox[0].body)
    assert Player.objects.get(pk=player.pk).password not in str(mailoutbox[0].message())
