import os
from collections.abc import Callable
from time import monotonic

import pytest

from games.ai import worker_threads
from games.ai.tasks import take_turns
from games.ai.worker_threads import DelayedExecutor, drain_at_shutdown, run_later
from games.matches.models.match import Match
from tests.games.conftest import Message
from tests.support.factories import make_player, start_match


def test_things_are_done_in_the_order_of_their_times_and_none_before_its_time() -> None:
    waiting, done, begun = DelayedExecutor(), [], monotonic()
    for seconds in (0.2, 0.05, 0.1):
        waiting.add(seconds, lambda seconds=seconds: done.append((seconds, monotonic() - begun)))  # type: ignore[misc]
    assert waiting.drain(20)
    assert [seconds for seconds, _ in done] == [0.05, 0.1, 0.2]
    assert all(after >= seconds for seconds, after in done)


def test_what_fails_holds_up_nothing(caplog: pytest.LogCaptureFixture) -> None:
    waiting, done = DelayedExecutor(), []

    def fail() -> None:
        hand = "7r"
        raise ValueError(f"about {hand}")

    waiting.add(0, fail)
    waiting.add(0.01, lambda: done.append(1))
    assert waiting.drain(20)
    assert done == [1]
    assert "ValueError" in caplog.text
    assert "7r" not in caplog.text


def test_it_begins_again_after_it_has_had_nothing_to_do() -> None:
    waiting, done = DelayedExecutor(), []
    for _ in range(2):
        waiting.add(0, lambda: done.append(1))
        assert waiting.drain(20)
    assert done == [1, 1]


def test_a_process_that_was_forked_has_its_own_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []
    run_later(0, lambda: done.append(os.getpid()))
    drain_at_shutdown()
    first = worker_threads._executors["here"]
    monkeypatch.setattr(first, "process", -1)
    run_later(0, lambda: done.append(os.getpid()))
    drain_at_shutdown()
    assert done == [os.getpid()] * 2
    assert worker_threads._executors["here"] is not first


def test_an_ai_that_people_wait_for_is_nudged_at_once_to_begin_to_think(
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
