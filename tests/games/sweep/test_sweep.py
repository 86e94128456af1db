from collections.abc import Callable
from datetime import timedelta

import pytest
from celery import current_app
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.ai import tasks as ai_tasks
from games.ai.tasks import take_turns, take_waiting_turns
from games.matches.models.match import Match, MatchStatus
from games.matches.turn_order import claim_next_turn
from games.sweep.tasks import sweep
from tests.games.conftest import Message
from tests.support.factories import start_match


def test_sweep_finds_a_turn_whose_message_was_lost(
    committing_database: str, take_messages: Callable[[], list[Message]], run_queued_tasks: Callable[[], int]
) -> None:
    match = start_match("easy", "easy", rounds=1)
    assert len(take_messages()) == 1  # discarded
    sweep()
    run_queued_tasks()
    assert Match.objects.get(pk=match.pk).status == MatchStatus.FINISHED


def test_sweeps_alone_finish_a_match_if_all_messages_are_lost(
    committing_database: str, take_messages: Callable[[], list[Message]]
) -> None:
    match = start_match("easy", "easy", rounds=1)
    while Match.objects.get(pk=match.pk).status == MatchStatus.ACTIVE:
        take_messages()
        sweep()
        [message] = take_messages()
        assert message.task == take_waiting_turns.name
        current_app.tasks[message.task](*message.arguments)


def test_sweeps_send_nothing_while_messages_wait(
    committing_database: str, take_messages: Callable[[], list[Message]]
) -> None:
    """However long the workers take for the turns that are queued."""
    for _ in range(3):
        start_match("easy", "easy")
    for _ in range(3):
        sweep()
    assert [message.task for message in take_messages()] == [take_turns.name] * 3
    for _ in range(3):
        sweep()
    assert [message.task for message in take_messages()] == [take_waiting_turns.name] * 3


def test_sweeps_send_few_messages_however_many_turns_wait(
    committing_database: str, take_messages: Callable[[], list[Message]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ai_tasks, "MAX_SWEEP_TASKS", 2)
    for _ in range(4):
        start_match("easy", "easy")
    take_messages()
    sweep()
    assert len(take_messages()) == 2


def test_turn_of_a_dead_worker_is_found_when_its_lease_has_ended(
    committing_database: str, take_messages: Callable[[], list[Message]], run_queued_tasks: Callable[[], int]
) -> None:
    match = start_match("easy", "easy", rounds=1)
    take_messages()
    assert claim_next_turn() is not None
    sweep()
    assert take_messages() == []
    Match.objects.filter(pk=match.pk).update(wake_at=timezone.now() - timedelta(seconds=1))
    sweep()
    assert run_queued_tasks() >= 1
    assert Match.objects.get(pk=match.pk).status == MatchStatus.FINISHED


def test_sweep_survives_a_broker_that_does_not_answer(
    committing_database: str, take_messages: Callable[[], list[Message]], monkeypatch: pytest.MonkeyPatch
) -> None:
    start_match("easy", "easy")
    take_messages()
    with monkeypatch.context() as patch:
        patch.setattr(ai_tasks, "count_messages", lambda _: None)
        sweep()
    assert take_messages() == []
    sweep()
    assert len(take_messages()) == 1


def test_sweep_without_due_work_is_one_query(database: str) -> None:
    sweep()  # the first sweep writes the heartbeat
    with CaptureQueriesContext(connection) as queries:
        sweep()
    assert len(queries) == 1


def test_sweep_messages_expire_so_that_they_do_not_pile_up() -> None:
    assert current_app.conf.beat_schedule["sweep"]["options"] == {"expires": 2.0}
