"""What machines ask: whether the process answers, whether the service keeps up, how much was done."""

import asyncio
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.db import DatabaseError
from django.test import AsyncClient, Client
from django.utils import timezone
from pytest_django import Settings

from games.models import Heartbeat, Match
from games.services.clock.outages import beat
from haggis_service.telemetry import readiness
from tests.games.factories import make_player, start_match
from tests.ports import free_port

TOKEN = "an operator's token of some length"


@pytest.fixture(autouse=True)
def as_in_production(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["haggis.example"]
    settings.SECURE_SSL_REDIRECT = True
    settings.HAGGIS_METRICS_TOKEN = TOKEN


@pytest.fixture
def late() -> Match:
    match = start_match(make_player(), make_player())
    Match.objects.filter(pk=match.pk).update(deadline=timezone.now() - timedelta(seconds=90))
    return match


@pytest.fixture
def ticking(database: str) -> None:
    """A clock that runs."""
    beat()


@pytest.fixture
def no_broker() -> Iterator[None]:
    """The address of the broker is one where nobody listens."""
    before = current_app.conf.broker_url
    current_app.conf.update(broker_url=f"redis://127.0.0.1:{free_port()}/0", broker_write_url=None)
    yield
    current_app.conf.update(broker_url=before)


def ask(address: str, **headers: str) -> tuple[int, Any]:
    answer = Client().get(address, headers=headers)
    return answer.status_code, json.loads(answer.content)


def test_a_process_that_answers_is_healthy_whatever_host_it_is_called_by() -> None:
    assert ask("/healthz", host="10.0.0.7:8000") == (200, {"status": "ok"})


def test_so_it_is_on_the_other_kind_of_server() -> None:
    assert asyncio.run(AsyncClient().get("/healthz")).status_code == 200


def test_only_reading_is_allowed() -> None:
    assert Client().post("/healthz").status_code == 405


def test_a_service_that_keeps_up_is_ready(ticking: None) -> None:
    status, report = ask("/readyz")
    assert status == 200
    assert report["status"] == "ready"
    assert report["database"] == {"ok": True}
    assert report["queue"]["ok"]
    assert report["queue"]["waiting"].keys() == {"default", "ai"}
    assert report["clock"]["overdue_turns"] == 0


def test_a_clock_that_stands_still_or_never_ran_makes_it_unready(database: str) -> None:
    assert ask("/readyz")[1]["reasons"] == ["clock: it never ran"]
    beat()
    assert ask("/readyz")[0] == 200
    Heartbeat.objects.update(beat_at=timezone.now() - timedelta(seconds=70))
    status, report = ask("/readyz")
    assert status == 503
    assert re.fullmatch(r"clock: not heard of for 7\d s", report["reasons"][0])


def test_a_turn_that_nobody_takes_makes_it_unready_and_is_told(ticking: None, late: Match) -> None:
    status, report = ask("/readyz")
    assert status == 503
    assert report["clock"]["overdue_turns"] == 1
    assert 90 <= report["clock"]["oldest_seconds"] < 120
    assert re.fullmatch(r"clock: a turn is 9\d s overdue", report["reasons"][0])


def test_so_does_an_ai_that_does_not_move(ticking: None) -> None:
    match = start_match("easy", "easy")
    Match.objects.filter(pk=match.pk).update(wake_at=timezone.now() - timedelta(seconds=70))
    status, report = ask("/readyz")
    assert status == 503
    assert report["clock"]["waiting_turns"] == 1


def test_without_a_broker_the_report_says_so_and_how_the_rest_is(ticking: None, no_broker: None) -> None:
    status, report = ask("/readyz")
    assert status == 503
    assert report["reasons"] == ["queue: no answer (OperationalError)"]
    assert report["database"]["ok"]
    assert report["clock"]["ok"]


def test_without_a_database_the_report_says_so(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_answer() -> None:
        raise DatabaseError

    monkeypatch.setattr(readiness, "overdue_turns", no_answer)
    status, report = ask("/readyz")
    assert status == 503
    assert report["reasons"] == [
        "clock: unknown without the database",
        "database: DatabaseError",
    ]


@pytest.mark.parametrize(
    ("address", "headers", "allowed"),
    (
        ("10.0.0.9", {"Authorization": f"Bearer {TOKEN}"}, True),
        ("10.0.0.9", {"Authorization": "Bearer another one"}, False),
        ("10.0.0.9", {}, False),
        ("192.0.2.7", {}, True),
        ("192.0.2.7", {"X-Forwarded-For": "10.0.0.9"}, False),
        ("10.0.0.9", {"X-Forwarded-For": "192.0.2.7, 10.0.0.9"}, False),
        ("10.0.0.9", {"X-Forwarded-For": "10.0.0.9, 192.0.2.7"}, True),
        ("2001:db8::5", {}, True),
        ("2001:db9::5", {}, False),
        ("", {}, False),
    ),
)
def test_numbers_are_for_operators_only(
    db: None, settings: Settings, address: str, headers: dict[str, str], *, allowed: bool
) -> None:
    settings.HAGGIS_METRICS_ADDRESSES = ["192.0.2.0/24", "2001:db8::/32"]
    settings.HAGGIS_TRUSTED_PROXIES = 1
    answer = Client(REMOTE_ADDR=address).get("/metrics", headers=headers)
    assert answer.status_code == (200 if allowed else 403)


def test_an_empty_token_is_nobody_s(db: None, settings: Settings) -> None:
    settings.HAGGIS_METRICS_TOKEN = ""
    assert Client().get("/metrics", headers={"Authorization": "Bearer "}).status_code == 403


def numbers() -> dict[str, float]:
    """Every number by its name and labels."""
    answer = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer["Content-Type"].startswith("text/plain")
    lines = [line for line in answer.content.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_they_tell_what_waits_and_what_was_written(database: str, late: Match) -> None:
    told = numbers()
    assert told["haggis_database_up"] == 1
    assert told["haggis_overdue_turns"] == 1
    assert 90 <= told["haggis_overdue_oldest_seconds"] < 120
    assert told["haggis_ai_queue_turns"] == 0
    assert told["haggis_log_events_total"] > 0


def test_requests_are_counted_by_route_and_timed(database: str, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = False
    settings.ALLOWED_HOSTS = ["testserver"]
    route = 'method="GET",route="api/v1/matches/<id:match_id>"'
    counted = f'haggis_requests_total{{{route},status="404"}}'
    before = numbers().get(counted, 0)
    for _ in range(3):
        Client().get("/api/v1/matches/m_none")
    after = numbers()
    assert after[counted] == before + 3
    assert after[f"haggis_request_seconds_count{{{route}}}"] >= 3


def test_what_a_client_makes_up_is_counted_as_one_thing(db: None, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = False
    settings.ALLOWED_HOSTS = ["testserver"]
    for number in range(20):
        Client().generic(f"VERB{number}", f"/nothing/{number}")
    assert not [name for name in numbers() if "VERB" in name or "nothing" in name]
