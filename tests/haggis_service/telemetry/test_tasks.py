"""Each task has a log line with the id of the request that sent it."""

import pytest
from celery import current_app, shared_task, signals
from celery.app.trace import build_tracer
from structlog.contextvars import bound_contextvars, get_contextvars

from games.ai import tasks as ai_tasks
from games.ai.tasks import take_turns
from haggis_service.telemetry import tasks
from tests.haggis_service.telemetry.conftest import LogLines
from tests.support.factories import reload_match, start_match


@shared_task(name="tests.telemetry.about_a_match")
def about_a_match(match_id: str, version: int) -> None:
    """Do nothing."""


def run(task_id: str, **headers: str) -> None:
    """Run the task as a worker does for a message with these headers."""
    tracer = build_tracer(about_a_match.name, about_a_match, app=current_app)
    result = tracer(task_id, ["m_1", 2], {}, {"id": task_id, **headers})
    assert result.retval is None


def test_task_message_has_the_id_of_its_request() -> None:
    sent: list[dict[str, object]] = []

    def record_headers(headers: dict[str, object], **_: object) -> None:
        sent.append(dict(headers))

    signals.before_task_publish.connect(record_headers)
    try:
        with bound_contextvars(request_id="of-the-request"):
            about_a_match.delay("m_1", 2)
        about_a_match.delay("m_1", 3)
    finally:
        signals.before_task_publish.disconnect(record_headers)
        with current_app.connection_for_read() as connection:
            connection.SimpleQueue("default").clear()
    assert sent[0]["request_id"] == "of-the-request"
    assert "request_id" not in sent[1]


def test_task_log_line_has_match_and_request_id(lines: LogLines) -> None:
    run(task_id="t1", request_id="of-the-request")
    [line] = [each for each in lines() if each["logger"] == "haggis.tasks"]
    assert line.pop("ms") >= 0
    del line["timestamp"]
    assert line == {
        "event": "done",
        "logger": "haggis.tasks",
        "level": "info",
        "task": "about_a_match",
        "task_id": "t1",
        "match_id": "m_1",
        "request_id": "of-the-request",
        "state": "SUCCESS",
    }


def test_line_of_an_ai_turn_names_the_match_that_was_taken(
    database: str, lines: LogLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ai_tasks, "MAX_TASK_SECONDS", 0)
    first, second = start_match("easy", "easy"), start_match("easy", "easy")
    tracer = build_tracer(take_turns.name, take_turns, app=current_app)
    tracer("t4", [second.pk, second.version], {}, {"id": "t4"})
    assert reload_match(first).version == first.version + 1
    assert reload_match(second).version == second.version
    [line] = [each for each in lines() if each["logger"] == "haggis.tasks"]
    assert line["match_id"] == first.pk
    assert get_contextvars() == {}


@shared_task(name="tests.telemetry.of_the_schedule")
def of_the_schedule() -> None:
    """Do nothing."""


def test_successful_scheduled_task_is_not_logged(lines: LogLines) -> None:
    tracer = build_tracer(of_the_schedule.name, of_the_schedule, app=current_app)
    tracer("t3", [], {}, {"id": "t3"})
    assert not [each for each in lines() if each["logger"] == "haggis.tasks"]


def test_context_is_cleared_after_a_task(lines: LogLines) -> None:
    run(task_id="t2", request_id="of-the-request")
    assert get_contextvars() == {}
    assert tasks._STARTED_AT == {}
