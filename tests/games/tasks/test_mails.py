from collections.abc import Callable

import pytest
from django.core.mail import EmailMessage

from games.services.accounts.mails import Mail, send_later
from games.tasks import mails
from tests.games.factories import make_player
from tests.games.tasks.conftest import Message


def test_a_mail_is_sent_by_a_worker_and_the_message_names_nobody(
    committing_database: str, take_messages: Callable[[], list[Message]], mailoutbox: list[EmailMessage]
) -> None:
    player = make_player(email="heather@example.org")
    send_later(kind=Mail.CONFIRM_EMAIL, player_id=player.pk)
    assert mailoutbox == []
    [message] = take_messages()
    assert message.arguments == (Mail.CONFIRM_EMAIL.value, player.pk)
    mails.send_mail(*message.arguments)
    assert [mail.to for mail in mailoutbox] == [["heather@example.org"]]


def test_a_mail_is_sent_at_once_where_there_is_no_broker(
    committing_database: str, monkeypatch: pytest.MonkeyPatch, mailoutbox: list[EmailMessage]
) -> None:
    monkeypatch.setattr(mails, "nudge", lambda *_: False)
    player = make_player(email="heather@example.org")
    send_later(kind=Mail.CONFIRM_EMAIL, player_id=player.pk)
    assert len(mailoutbox) == 1
