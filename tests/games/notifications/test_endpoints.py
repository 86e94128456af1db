"""An endpoint that is taken away while an event is written: neither fails, and nothing is left of it."""

import threading
from collections.abc import Callable

import pytest
from django.db import connection, transaction

from games.clock.turn_events import current_timing, turn_event
from games.identity.models import Player
from games.matches.entries import commit_or_conflict
from games.matches.models.log import Actor, EventType
from games.matches.models.match import Match
from games.notifications.models import Delivery, Webhook
from games.notifications.webhooks import delete_webhook
from tests.games.notifications.conftest import endpoint
from tests.support.factories import make_player, read_row, start_match

pytestmark = [
    pytest.mark.needs("postgresql"),
    pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True),
]

SECONDS = 20


def meanwhile(do: Callable[[], None]) -> tuple[threading.Thread, list[BaseException]]:
    """Do something in a thread of its own; with what went wrong there."""
    wrong: list[BaseException] = []

    def run() -> None:
        try:
            do()
        except BaseException as error:  # noqa: BLE001 -- the test tells
            wrong.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread, wrong


def write(match: Match) -> None:
    """What an event of this match leaves to be sent."""
    row = read_row(match)
    commit_or_conflict(turn_event(row, EventType.EXTENDED, current_timing(row), by=Actor.CLOCK))


@pytest.fixture
def me(committing_database: str) -> Player:
    return make_player()


def test_an_event_that_is_being_written_is_waited_for_and_taken_away_too(me: Player) -> None:
    match = start_match(me, make_player())
    webhook = endpoint(me)
    with transaction.atomic():
        write(match)
        thread, wrong = meanwhile(lambda: delete_webhook(player=me, webhook_id=webhook.public_id))
        thread.join(0.5)
        assert thread.is_alive()
    thread.join(SECONDS)
    assert wrong == []
    assert not Webhook.objects.exists()
    assert not Delivery.objects.exists()


def test_an_event_waits_for_an_endpoint_that_is_being_taken_away_and_tells_it_nothing(me: Player) -> None:
    match = start_match(me, make_player())
    webhook = endpoint(me)
    with transaction.atomic():
        delete_webhook(player=me, webhook_id=webhook.public_id)
        thread, wrong = meanwhile(lambda: write(match))
        thread.join(0.5)
        assert thread.is_alive()
    thread.join(SECONDS)
    assert wrong == []
    assert not Delivery.objects.exists()
