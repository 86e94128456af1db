"""Send account mails synchronously; test_tasks.py tests that a worker sends them."""

from collections.abc import Iterator

import pytest

from games.accounts.services import mails


@pytest.fixture(autouse=True)
def send_mails_synchronously() -> Iterator[None]:
    original = mails._sender[0]
    mails.set_mail_sender(mails.send_account_mail)
    yield
    mails.set_mail_sender(original)
