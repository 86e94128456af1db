"""Each task has a line when it is over, with the id of the request that it came from."""

from celery import current_app, shared_task, signals
from celery.app.trace import build_tracer
from structlog.contextvars import bound_contextvars, get_contextvars

from haggis_service.telemetry import tasks
from tests.haggis_service.telemetry.conftest import Lines


@shared_task(name="tests.telemetry.about_a_match")
def about_a_match(match_id: str, version: int) -> None:
    """Nothing."""


def run(task_id: str, **headers: str) -> None:
    """As a worker does it with a message that has these headers."""
    tracer = build_tracer(about_a_match.name, about_a_match, app=current_app)
    traced = tracer(task_id, ["m_1", 2], {}, {"id": task_id, **headers})
    assert traced.retval is None


def test_a_message_carries_the_id_of_its_request() -> None:
    sent: list[dict[str, object]] = []

    def look(headers: dict[str, object], **_: object) -> None:
        sent.append(dict(headers))

    signals.before_task_publish.connect(look)
    try:
        with bound_contextvars(request_id="of-the-request"):
            about_a_match.delay("m_1", 2)
        about_a_match.delay("m_1", 3)
    finally:
        signals.before_task_publish.disconnect(look)
        with current_app.connection_for_read() as connection:
            connection.SimpleQueue("default").clear()
    assert sent[0]["request_id"] == "of-the-request"
    assert "request_id" not in sent[1]


def test_a_task_has_one_line_with_its_match_and_its_request(lines: Lines) -> None:
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


@shared_task(name="tests.telemetry.of_the_schedule")
def of_the_schedule() -> None:
    """Nothing."""


def test_what_the_schedule_asks_for_is_no_news_while_it_goes_well(lines: Lines) -> None:
    tracer = build_tracer(of_the_schedule.name, of_the_schedule, app=current_app)
    tracer("t3", [], {}, {"id": "t3"})
    assert not [each for each in lines() if each["logger"] == "haggis.tasks"]


def test_nothing_of_a_task_is_left_behind_for_the_next(lines: Lines) -> None:
    run(task_id="t2", request_id="of-the-request")
    assert get_contextvars() == {}
    assert tasks._STARTED_AT == {}
