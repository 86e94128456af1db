"""Two players and an app."""

from collections.abc import Iterator

import pytest

from games.accounts.services import mails
from games.identity.models import Player
from tests.support.clients import make_person
from tests.support.oauth import App, Browser, make_app


@pytest.fixture(autouse=True)
def send_mails_synchronously() -> Iterator[None]:
    original = mails._sender[0]
    mails.set_mail_sender(mails.send_account_mail)
    yield
    mails.set_mail_sender(original)


@pytest.fixture
def heather(database: str) -> Player:
    return make_person("heather", email="heather@example.org", email_confirmed=True)


@pytest.fixture
def maker(database: str) -> Player:
    return make_person("maker")


@pytest.fixture
def app(maker: Player) -> App:
    return make_app(maker)


@pytest.fixture
def browser(app: App, heather: Player) -> Browser:
    """Return a browser in which heather has logged in on the page of the app."""
    return Browser().log_in(app, heather)
