"""Mails are read as soon as they are sent: that a worker sends them is shown in tests/games/tasks."""

from collections.abc import Iterator

import pytest

from games.accounts.services import mails


@pytest.fixture(autouse=True)
def mails_are_delivered_at_once() -> Iterator[None]:
    before = mails._postmen[0]
    mails.deliver_by(mails.deliver)
    yield
    mails.deliver_by(before)
