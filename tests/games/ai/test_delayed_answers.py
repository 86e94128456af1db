import os
from collections.abc import Callable
from time import monotonic

import pytest

from games.ai.tasks import take_turns
from games.ai.worker_threads import DelayedExecutor, drain_at_shutdown, run_later
from games.matches.models.match import Match
from tests.games.conftest import Message
from tests.support.factories import make_player, start_match


def test_callbacks_run_in_order_and_not_before_their_time() -> None:
    executor, calls, started_at = DelayedExecutor(), [], monotonic()
    for seconds in (0.2, 0.05, 0.1):
        executor.add(seconds, lambda seconds=seconds: calls.append((seconds, monotonic() - started_at)))  # type: ignore[misc]
    assert executor.drain(20)
    assert [seconds for seconds, _ in calls] == [0.05, 0.1, 0.2]
    assert all(after >= seconds for seconds, after in calls)


def test_failing_callback_does_not_stop_the_executor_and_its_message_is_not_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    executor, calls = DelayedExecutor(), []

    def fail() -> None:
        hand = "7r"
        raise ValueError(f"about {hand}")

    executor.add(0, fail)
    executor.add(0.01, lambda: calls.append(1))
    assert executor.drain(20)
    assert calls == [1]
    assert "ValueError" in caplog.text
    assert "7r" not in caplog.text


def test_executor_restarts_after_it_was_idle() -> None:
    executor, calls = DelayedExecutor(), []
    for _ in range(2):
        executor.add(0, lambda: calls.append(1))
        assert executor.drain(20)
    assert calls == [1, 1]


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")
def test_forked_process_starts_its_own_executor() -> None:
    run_later(0.5, lambda: None)  # its thread waits in this process, not in the child
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        run_later(0, lambda: os.write(writer, b"called"))
        drain_at_shutdown()
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        assert pipe.read() == b"called"
    drain_at_shutdown()


def test_ai_in_a_match_with_people_is_dispatched_immediately(
    committing_database: str, take_messages: Callable[[], list[Message]]
) -> None:
    match = start_match("easy", make_player())
    while match.to_act != 0:
        take_messages()
        match = start_match("easy", make_player())
    [message] = take_messages()
    assert message.arguments == (match.pk, 1)
    take_turns(*message.arguments)
    assert Match.objects.get(pk=match.pk).version >= 2  # it may have bet first
