"""Deletion of an endpoint while an event is written concurrently."""

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
from tests.games.notifications.conftest import make_endpoint
from tests.support.factories import make_player, read_row, start_match

pytestmark = [
    pytest.mark.needs("postgresql"),
    pytest.mark.parametrize("chosen_database", ("postgresql",), indirect=True),
]

SECONDS = 20


def run_in_thread(do: Callable[[], None]) -> tuple[threading.Thread, list[BaseException]]:
    """Run a function in a thread, and return the thread and the errors that it raised."""
    errors: list[BaseException] = []

    def run() -> None:
        try:
            do()
        except BaseException as error:  # noqa: BLE001 -- the test asserts that there are none
            errors.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread, errors


def write_event(match: Match) -> None:
    """Commit an event of this match."""
    row = read_row(match)
    commit_or_conflict(turn_event(row, EventType.EXTENDED, current_timing(row), by=Actor.CLOCK))


@pytest.fixture
def me(committing_database: str) -> Player:
    return make_player()


def test_deleting_an_endpoint_waits_for_an_event_and_deletes_its_delivery(me: Player) -> None:
    match = start_match(me, make_player())
    webhook = make_endpoint(me)
    with transaction.atomic():
        write_event(match)
        thread, errors = run_in_thread(lambda: delete_webhook(player=me, webhook_id=webhook.public_id))
        thread.join(0.5)
        assert thread.is_alive()
    thread.join(SECONDS)
    assert errors == []
    assert not Webhook.objects.exists()
    assert not Delivery.objects.exists()


def test_event_waits_for_the_deletion_of_an_endpoint_and_queues_nothing(me: Player) -> None:
    match = start_match(me, make_player())
    webhook = make_endpoint(me)
    with transaction.atomic():
        delete_webhook(player=me, webhook_id=webhook.public_id)
        thread, errors = run_in_thread(lambda: write_event(match))
        thread.join(0.5)
        assert thread.is_alive()
    thread.join(SECONDS)
    assert errors == []
    assert not Delivery.objects.exists()
