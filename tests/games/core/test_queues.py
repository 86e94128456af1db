import socket
import threading
from collections.abc import Callable, Iterator
from time import monotonic

import pytest
from kombu import Connection

from games.ai.services import take_turn
from games.ai.tasks import take_turns
from games.core import queues
from games.core.queues import SEND_TIMEOUT_SECONDS, send_task, short_timeout_connection
from games.matches.models.match import Match
from games.matches.publish import MatchChanged, dispatch_turn
from tests.games.conftest import Message
from tests.support.factories import start_match


@pytest.fixture(autouse=True)
def nobody_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queues, "_breaker", queues.CircuitBreaker())


@pytest.fixture
def frozen() -> Iterator[Connection]:
    """A broker that takes connections and never says anything."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield short_timeout_connection(f"redis://127.0.0.1:{server.getsockname()[1]}/0")


@pytest.fixture
def down() -> Connection:
    """A broker that is not there."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    return short_timeout_connection(f"redis://127.0.0.1:{port}/0")


def seconds_for(times: int, connection: Connection, monkeypatch: pytest.MonkeyPatch) -> float:
    monkeypatch.setattr(queues, "_connection", lambda: connection)
    begun = monotonic()
    for _ in range(times):
        assert not send_task(take_turns, "m_somewhere", 1)
    return monotonic() - begun


def test_a_nudge_carries_ids_and_nothing_else(
    committing_database: str, take_messages: Callable[[], list[Message]]
) -> None:
    match = start_match("easy", "easy")
    [message] = take_messages()
    assert message.task == "games.tasks.turns.take_turns"
    assert message.arguments == (match.pk, 1)
    assert message.body[:2] == [[match.pk, 1], {}]
    assert message.headers["argsrepr"] == repr((match.pk, 1))


def test_only_what_the_service_has_to_do_at_once_is_nudged(
    take_messages: Callable[[], list[Message]],
) -> None:
    dispatch_turn(MatchChanged("m_players", 3, needs_service_turn=False))
    assert take_messages() == []
    dispatch_turn(MatchChanged("m_ais", 3, needs_service_turn=True))
    assert [message.arguments for message in take_messages()] == [("m_ais", 3)]


def test_a_worker_that_goes_on_with_a_match_itself_nudges_nobody(
    committing_database: str, take_messages: Callable[[], list[Message]]
) -> None:
    match = start_match("easy", "easy")
    take_messages()
    changed = take_turn(match_id=match.pk, version=1, nudge=False)
    assert changed == MatchChanged(match.pk, 2, needs_service_turn=True)
    assert take_messages() == []
    take_turn(match_id=match.pk, version=2)
    assert [message.arguments for message in take_messages()] == [(match.pk, 3)]


def test_every_thread_nudges_by_the_same_broker(take_messages: Callable[[], list[Message]]) -> None:
    thread = threading.Thread(target=dispatch_turn, args=(MatchChanged("m_ais", 3, needs_service_turn=True),))
    thread.start()
    thread.join()
    assert len(take_messages()) == 1


@pytest.mark.timeout(30)
def test_a_frozen_broker_costs_one_time_out_and_is_then_left_alone(
    frozen: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert seconds_for(1, frozen, monkeypatch) < 4 * SEND_TIMEOUT_SECONDS
    assert seconds_for(1000, frozen, monkeypatch) < SEND_TIMEOUT_SECONDS


@pytest.mark.timeout(30)
def test_a_broker_that_is_down_costs_no_more(down: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    assert seconds_for(1, down, monkeypatch) < 4 * SEND_TIMEOUT_SECONDS
    assert seconds_for(1000, down, monkeypatch) < SEND_TIMEOUT_SECONDS


def test_the_broker_is_tried_again_later(
    down: Connection, monkeypatch: pytest.MonkeyPatch, take_messages: Callable[[], list[Message]]
) -> None:
    with monkeypatch.context() as while_down:
        seconds_for(1, down, while_down)
    assert not send_task(take_turns, "m_somewhere", 1)
    moment = monotonic() + queues.BREAKER_SECONDS + 1
    monkeypatch.setattr(queues, "monotonic", lambda: moment)
    assert send_task(take_turns, "m_somewhere", 1)
    assert len(take_messages()) == 1


def test_a_match_goes_on_without_a_broker(
    committing_database: str, down: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "_connection", lambda: down)
    match = start_match("easy", "easy")
    assert Match.objects.get(pk=match.pk).version == 1
    take_turns(match.pk, 1)
    assert Match.objects.get(pk=match.pk).version > 1
