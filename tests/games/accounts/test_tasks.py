from collections.abc import Callable

import pytest
from django.core.mail import EmailMessage

from games.accounts import tasks as accounts_tasks
from games.accounts.services import mails
from games.accounts.services.mails import Mail, send_on_commit
from tests.games.conftest import Message
from tests.support.factories import make_player


@pytest.fixture(autouse=True)
def send_mails_by_workers(send_mails_synchronously: None) -> None:
    mails.set_mail_sender(accounts_tasks.enqueue_mail)


def test_a_worker_sends_the_mail_and_the_message_contains_no_address(
    committing_database: str, take_messages: Callable[[], list[Message]], mailoutbox: list[EmailMessage]
) -> None:
    player = make_player(email="heather@example.org")
    send_on_commit(kind=Mail.CONFIRM_EMAIL, about=player.pk)
    assert mailoutbox == []
    [message] = take_messages()
    assert message.arguments == (Mail.CONFIRM_EMAIL.value, player.pk)
    accounts_tasks.send_mail(*message.arguments)
    assert [mail.to for mail in mailoutbox] == [["heather@example.org"]]


def test_a_mail_is_sent_synchronously_if_the_broker_is_unavailable(
    committing_database: str, monkeypatch: pytest.MonkeyPatch, mailoutbox: list[EmailMessage]
) -> None:
    monkeypatch.setattr(accounts_tasks, "send_task", lambda *_: False)
    player = make_player(email="heather@example.org")
    send_on_commit(kind=Mail.CONFIRM_EMAIL, about=player.pk)
    assert len(mailoutbox) == 1
