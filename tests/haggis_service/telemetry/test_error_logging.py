"""Errors are logged in one line each, without their words, and not again for every request."""

import json
import logging
import logging.config
import threading
from pathlib import Path
from typing import Final

import pytest
from celery import current_app, shared_task
from celery.app.trace import build_tracer
from django.conf import settings
from django.db import IntegrityError, OperationalError
from django.test import Client, RequestFactory
from django.urls import path

from games.ai.tasks import take_waiting_turns
from games.api import problems
from games.api.problems import server_error
from haggis_service.telemetry import fault_limits
from haggis_service.telemetry.uncaught import log_uncaught_errors
from tests.haggis_service.telemetry.conftest import LogLines
from tests.support.factories import start_match


def fails(_: object) -> None:
    raise RuntimeError("an unexpected error")


urlpatterns = [path("api/v1/fails", fails)]  # type: ignore[arg-type]  # it raises instead of returning a response
handler500 = server_error


@pytest.mark.urls(__name__)
def test_exception_is_logged_to_stderr_in_one_line_without_its_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logging.config.dictConfig(settings.LOGGING)
    response = Client(raise_request_exception=False).get("/api/v1/fails")
    assert response.status_code == 500
    output = capsys.readouterr().err
    [line] = [each for each in output.splitlines() if "RuntimeError" in each]
    assert f"{Path(__file__).name}:" in line
    assert "route=api/v1/fails" in line
    assert "an unexpected error" not in output
    assert len(output.splitlines()) == 2  # the other one is the line of the request


@pytest.mark.urls(__name__)
def test_404_is_not_logged(capsys: pytest.CaptureFixture[str]) -> None:
    logging.config.dictConfig(settings.LOGGING)
    assert Client().get("/api/v1/nothing").status_code == 404
    assert capsys.readouterr().err == ""


def test_rejected_form_is_logged_with_its_route_instead_of_its_path(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logging.config.dictConfig(settings.LOGGING)
    response = Client(enforce_csrf_checks=True).post("/matches/m_secret")
    assert response.status_code == 403
    [line] = [each for each in capsys.readouterr().err.splitlines() if "Forbidden" in each]
    assert "Forbidden (CSRF cookie not set.)" in line
    assert "route=matches/<slug:match_id>" in line
    assert "m_secret" not in line


STORED: Final = "heather@example.org"


def _raise(error: Exception) -> None:
    try:
        raise ValueError(f"the cause: {STORED}")  # noqa: TRY301 -- the cause of the error
    except ValueError as cause:
        raise error from cause


def test_message_of_an_error_is_not_logged(lines: LogLines) -> None:
    log = logging.getLogger("tests")
    error = IntegrityError(f"duplicate key: ({STORED})")
    try:
        _raise(error)
    except IntegrityError:
        log.exception("it failed: %s", error)
        log.critical("it failed: %r\n%s", error, "more", exc_info=True)
    [first, second] = lines()
    assert STORED not in json.dumps([first, second])
    assert first["event"] == "it failed: IntegrityError"
    assert second["event"] == "it failed: IntegrityError | more"
    assert [each["kind"] for each in first["fault"]] == ["ValueError", "IntegrityError"]
    assert first["fault"][-1]["at"][-1].startswith("tests/haggis_service/telemetry/test_error_logging.py:")


def test_failed_task_is_logged_without_the_message_of_its_error(lines: LogLines) -> None:
    tracer = build_tracer(failing_task.name, failing_task, app=current_app)
    tracer("t1", [], {}, {"id": "t1"})
    assert STORED not in json.dumps(lines())
    assert [each["logger"] for each in lines()] == ["celery.app.trace", "haggis.tasks"]
    assert lines()[0]["fault"][-1]["kind"] == "IntegrityError"


@shared_task(name="tests.telemetry.failing")
def failing_task() -> None:
    """Fail with stored words."""
    raise IntegrityError(STORED)


def test_error_of_a_thread_is_logged_without_its_words(lines: LogLines) -> None:
    log_uncaught_errors()
    try:
        thread = threading.Thread(target=_raise, args=(IntegrityError(STORED),))
        thread.start()
        thread.join()
    finally:
        threading.excepthook = threading.__excepthook__
    [line] = lines()
    assert line["logger"] == "haggis.threads"
    assert STORED not in json.dumps(line)


@pytest.mark.django_db
def test_a_503_has_no_line_but_that_of_the_request(lines: LogLines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("haggis_service.telemetry.probes.readiness", lambda: (False, {}))
    assert Client().get("/readyz").status_code == 503
    assert [each["logger"] for each in lines()] == ["haggis.requests"]


def test_refused_host_is_logged_without_its_name(lines: LogLines) -> None:
    assert Client().get("/nothing", headers={"Host": "evil.example"}).status_code == 400
    assert "evil.example" not in json.dumps(lines())
    assert any(each["logger"] == "django.security.DisallowedHost" for each in lines())


def test_refused_hosts_are_one_fault_and_leave_room_for_others(lines: LogLines) -> None:
    for number in range(200):
        host = "".join(chr(ord("a") + int(digit)) for digit in str(number))
        assert Client().get("/nothing", headers={"Host": f"{host}.example"}).status_code == 400
    _lose_database(1)
    warnings = [each["logger"] for each in lines() if each["level"] in {"warning", "error"}]
    assert warnings == ["django.security.DisallowedHost", "games.api.problems"]


def _lose_database(number: int) -> None:
    try:
        raise OperationalError(f"connection {number} to server at {STORED} failed")  # noqa: TRY301 -- has a traceback
    except OperationalError as error:
        problems.exception_handler(error, {"request": RequestFactory().get("/")})


def test_a_fault_of_a_thousand_requests_is_logged_once(lines: LogLines) -> None:
    for number in range(1000):
        _lose_database(number)
    [line] = lines()
    assert (line["event"], line["fault"][0]["kind"]) == ("The database is not available", "OperationalError")


def test_different_errors_of_ais_are_different_faults(
    database: str, lines: LogLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors: list[type[Exception]] = [ValueError, KeyError, ValueError, KeyError]

    def fail(*_: object) -> None:
        raise errors.pop()

    monkeypatch.setattr("games.ai.services.choose_action", fail)
    for _match in range(len(errors)):
        start_match("easy", "easy")
        take_waiting_turns()
    failures = [each["event"] for each in lines() if "failed with" in each["event"]]
    assert [event.partition("failed with ")[2].split()[0] for event in failures] == ["KeyError", "ValueError"]


def test_a_fault_is_logged_again_at_growing_intervals_with_the_suppressed_ones(
    lines: LogLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(fault_limits, "time", clock)
    for _ in range(24 * 3600):
        _lose_database(1)
        clock.now += 1
    assert len(lines()) < 24 * 6 + 10
    assert [each.get("suppressed") for each in lines()[:5]] == [None, 9, 19, 39, 79]
    assert sum(each.get("suppressed", 0) + 1 for each in lines()) > 23 * 3600


def test_interval_is_reset_after_a_fault_has_stopped(
    lines: LogLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(fault_limits, "time", clock)
    for _ in range(3):
        _lose_database(1)
        clock.now += 3600
    assert [each.get("suppressed") for each in lines()] == [None, None, None]


def test_faults_that_all_look_different_are_bounded(lines: LogLines) -> None:
    for number in range(1000):
        logging.getLogger("tests").warning(f"{'x' * (number % 100)} {'y' * (number // 100)}")  # noqa: G004 -- as others do
    assert len(lines()) <= 2 * fault_limits.MAX_LINES_A_MINUTE  # a minute may begin meanwhile


class Clock:
    """A clock that tests set."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now
