import socket
import threading
from collections.abc import Callable, Iterator
from time import monotonic

import pytest
from kombu import Connection

from games.ai.services import take_turn
from games.ai.tasks import dispatch_turn, take_turns
from games.core import circuit_breakers, queues
from games.core.circuit_breakers import BREAKER_SECONDS, CircuitBreaker
from games.core.queues import SEND_TIMEOUT_SECONDS, send_task, short_timeout_connection
from games.matches.models.match import Match
from games.matches.publish import MatchChanged
from tests.games.conftest import Message
from tests.support.factories import start_match


@pytest.fixture(autouse=True)
def closed_breaker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queues, "_breaker", CircuitBreaker())


@pytest.fixture
def frozen() -> Iterator[Connection]:
    """Connect to a broker that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield short_timeout_connection(f"redis://127.0.0.1:{server.getsockname()[1]}/0")


@pytest.fixture
def down() -> Connection:
    """Connect to a port without a broker."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    return short_timeout_connection(f"redis://127.0.0.1:{port}/0")


def seconds_to_fail(times: int, connection: Connection, monkeypatch: pytest.MonkeyPatch) -> float:
    monkeypatch.setattr(queues, "_connection", lambda: connection)
    start = monotonic()
    for _ in range(times):
        assert not send_task(take_turns, "m_somewhere", 1)
    return monotonic() - start


def test_a_turn_task_has_only_ids_as_arguments(
    committing_database: str, take_messages: Callable[[], list[Message]]
) -> None:
    match = start_match("easy", "easy")
    [message] = take_messages()
    assert message.task == "games.tasks.turns.take_turns"
    assert message.arguments == (match.pk, 1)
    assert message.body[:2] == [[match.pk, 1], {}]
    assert message.headers["argsrepr"] == repr((match.pk, 1))


def test_a_turn_task_is_sent_only_if_the_service_has_to_act(
    take_messages: Callable[[], list[Message]],
) -> None:
    dispatch_turn(MatchChanged("m_players", 3, needs_service_turn=False))
    assert take_messages() == []
    dispatch_turn(MatchChanged("m_ais", 3, needs_service_turn=True))
    assert [message.arguments for message in take_messages()] == [("m_ais", 3)]


def test_no_task_is_sent_if_the_worker_continues_with_the_match(
    committing_database: str, take_messages: Callable[[], list[Message]]
) -> None:
    match = start_match("easy", "easy")
    take_messages()
    changed = take_turn(match_id=match.pk, version=1, dispatch=False)
    assert changed == MatchChanged(match.pk, 2, needs_service_turn=True)
    assert take_messages() == []
    take_turn(match_id=match.pk, version=2)
    assert [message.arguments for message in take_messages()] == [(match.pk, 3)]


def test_other_threads_can_send_tasks(take_messages: Callable[[], list[Message]]) -> None:
    thread = threading.Thread(target=dispatch_turn, args=(MatchChanged("m_ais", 3, needs_service_turn=True),))
    thread.start()
    thread.join()
    assert len(take_messages()) == 1


@pytest.mark.timeout(30)
def test_a_frozen_broker_costs_one_timeout_and_opens_the_breaker(
    frozen: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert seconds_to_fail(1, frozen, monkeypatch) < 4 * SEND_TIMEOUT_SECONDS
    assert seconds_to_fail(1000, frozen, monkeypatch) < SEND_TIMEOUT_SECONDS


@pytest.mark.timeout(30)
def test_a_broker_that_is_down_opens_the_breaker(down: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    assert seconds_to_fail(1, down, monkeypatch) < 4 * SEND_TIMEOUT_SECONDS
    assert seconds_to_fail(1000, down, monkeypatch) < SEND_TIMEOUT_SECONDS


def test_the_breaker_closes_after_a_while(
    down: Connection, monkeypatch: pytest.MonkeyPatch, take_messages: Callable[[], list[Message]]
) -> None:
    with monkeypatch.context() as while_down:
        seconds_to_fail(1, down, while_down)
    assert not send_task(take_turns, "m_somewhere", 1)
    later = monotonic() + BREAKER_SECONDS + 1
    monkeypatch.setattr(circuit_breakers, "monotonic", lambda: later)
    assert send_task(take_turns, "m_somewhere", 1)
    assert len(take_messages()) == 1


def test_a_match_continues_without_a_broker(
    committing_database: str, down: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "_connection", lambda: down)
    match = start_match("easy", "easy")
    assert Match.objects.get(pk=match.pk).version == 1
    take_turns(match.pk, 1)
    assert Match.objects.get(pk=match.pk).version > 1
