from collections.abc import Callable

import pytest
from celery import current_app
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.ai.services import take_turn
from games.matches.models.match import Match, MatchStatus
from games.sweep import tasks as sweep_tasks
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
        assert take_turn(match_id=match.pk, version=message.arguments[1])


def test_two_sweeps_send_a_turn_once(
    committing_database: str, take_messages: Callable[[], list[Message]]
) -> None:
    start_match("easy", "easy")
    take_messages()
    sweep()
    sweep()
    assert len(take_messages()) == 1


def test_turn_that_could_not_be_sent_is_sent_by_the_next_sweep(
    committing_database: str, take_messages: Callable[[], list[Message]], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = start_match("easy", "easy")
    take_messages()
    with monkeypatch.context() as patch:
        patch.setattr(sweep_tasks, "send_task", lambda *_: False)
        sweep()
    sweep()
    assert [message.arguments for message in take_messages()] == [(match.pk, 1)]


def test_sweep_without_due_work_is_one_query(database: str) -> None:
    sweep()  # the first sweep writes the heartbeat
    with CaptureQueriesContext(connection) as queries:
        sweep()
    assert len(queries) == 1


def test_sweep_messages_expire_so_that_they_do_not_pile_up() -> None:
    assert current_app.conf.beat_schedule["sweep"]["options"] == {"expires": 2.0}
