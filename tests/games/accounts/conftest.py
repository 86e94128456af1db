"""Mails are read as soon as they are sent: that a worker sends them is shown in tests/games/tasks."""

from collections.abc import Iterator

import pytest

from games.accounts.services import mails


@pytest.fixture(autouse=True)
def mails_are_delivered_at_once() -> Iterator[None]:
    before = mails._sender[0]
    mails.set_mail_sender(mails.send_account_mail)
    yield
    mails.set_mail_sender(before)
