"""Health checks and metrics."""

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

from games.clock.models import Heartbeat
from games.clock.outages import record_heartbeat
from games.matches.models.match import Match
from haggis_service.telemetry import readiness
from tests.support.factories import make_player, start_match, start_match_with_due_ai_turn
from tests.support.requirements import free_port

TOKEN = "a metrics token of sufficient length"


@pytest.fixture(autouse=True)
def production_settings(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["haggis.example"]
    settings.SECURE_SSL_REDIRECT = True
    settings.HAGGIS_METRICS_TOKEN = TOKEN


@pytest.fixture
def overdue_match() -> Match:
    match = start_match(make_player(), make_player())
    Match.objects.filter(pk=match.pk).update(deadline=timezone.now() - timedelta(seconds=90))
    return match


@pytest.fixture
def running_clock(database: str) -> None:
    """Provide a sweep that has just run."""
    record_heartbeat()


@pytest.fixture
def no_broker() -> Iterator[None]:
    """Provide a broker URL with a closed port."""
    before = current_app.conf.broker_url
    current_app.conf.update(broker_url=f"redis://127.0.0.1:{free_port()}/0", broker_write_url=None)
    yield
    current_app.conf.update(broker_url=before)


def get(address: str, **headers: str) -> tuple[int, Any]:
    response = Client().get(address, headers=headers)
    return response.status_code, json.loads(response.content)


def test_healthz_returns_200_for_any_host_name() -> None:
    assert get("/healthz", host="10.0.0.7:8000") == (200, {"status": "ok"})


def test_healthz_returns_200_under_asgi() -> None:
    assert asyncio.run(AsyncClient().get("/healthz")).status_code == 200


def test_post_to_a_probe_returns_405() -> None:
    assert Client().post("/healthz").status_code == 405


def test_readyz_returns_200_while_everything_works(running_clock: None) -> None:
    status, report = get("/readyz")
    assert status == 200
    assert report["status"] == "ready"
    assert report["database"] == {"ok": True}
    assert report["queue"]["ok"]
    assert report["queue"]["waiting"].keys() == {
        route["queue"] for route in current_app.conf.task_routes.values()
    } | {"default"}
    assert report["clock"]["overdue_turns"] == 0


def test_readyz_returns_503_when_the_sweep_has_stopped_or_never_run(database: str) -> None:
    assert get("/readyz")[1]["reasons"] == ["clock: the sweep has never run"]
    record_heartbeat()
    assert get("/readyz")[0] == 200
    Heartbeat.objects.update(beat_at=timezone.now() - timedelta(seconds=70))
    status, report = get("/readyz")
    assert status == 503
    assert re.fullmatch(r"clock: the sweep has not run for 7\d s", report["reasons"][0])


def test_readyz_returns_503_when_a_turn_is_overdue(running_clock: None, overdue_match: Match) -> None:
    status, report = get("/readyz")
    assert status == 503
    assert report["clock"]["overdue_turns"] == 1
    assert 90 <= report["clock"]["oldest_seconds"] < 120
    assert re.fullmatch(r"clock: a turn is 9\d s overdue", report["reasons"][0])


def test_readyz_returns_503_when_an_ai_turn_is_overdue(running_clock: None) -> None:
    match = start_match_with_due_ai_turn()
    Match.objects.filter(pk=match.pk).update(turn_due_at=timezone.now() - timedelta(seconds=70))
    status, report = get("/readyz")
    assert status == 503
    assert report["clock"]["waiting_turns"] == 1


def test_readyz_returns_200_while_matches_between_ais_wait_for_others(running_clock: None) -> None:
    match = start_match("easy", "easy")
    Match.objects.filter(pk=match.pk).update(turn_due_at=timezone.now() - timedelta(seconds=70))
    status, report = get("/readyz")
    assert status == 200
    assert report["clock"]["waiting_turns"] == 0
    values = metric_values()
    assert values["haggis_ai_queue_oldest_seconds"] == 0
    assert values["haggis_ai_only_queue_turns"] == 1
    assert values["haggis_ai_only_queue_oldest_seconds"] >= 70


def test_readyz_reports_an_unavailable_broker_and_checks_the_rest(
    running_clock: None, no_broker: None
) -> None:
    status, report = get("/readyz")
    assert status == 503
    assert report["reasons"] == ["queue: the broker does not answer (OperationalError)"]
    assert report["database"]["ok"]
    assert report["clock"]["ok"]


def test_readyz_reports_an_unavailable_database(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise DatabaseError

    monkeypatch.setattr(readiness, "overdue_turns", fail)
    status, report = get("/readyz")
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
def test_metrics_require_a_token_or_an_allowed_network(
    db: None, settings: Settings, address: str, headers: dict[str, str], *, allowed: bool
) -> None:
    settings.HAGGIS_METRICS_ADDRESSES = ["192.0.2.0/24", "2001:db8::/32"]
    settings.HAGGIS_TRUSTED_PROXIES = 1
    response = Client(REMOTE_ADDR=address).get("/metrics", headers=headers)
    assert response.status_code == (200 if allowed else 403)


@pytest.mark.parametrize("trusted", (0, 2))
def test_address_of_an_unknown_proxy_gives_no_access_to_metrics(
    db: None, settings: Settings, trusted: int
) -> None:
    settings.HAGGIS_METRICS_ADDRESSES = ["127.0.0.1"]
    settings.HAGGIS_TRUSTED_PROXIES = trusted
    monitoring = Client(REMOTE_ADDR="127.0.0.1")
    assert monitoring.get("/metrics").status_code == 200
    assert monitoring.get("/metrics", headers={"X-Forwarded-For": "192.0.2.7"}).status_code == 403


def test_empty_metrics_token_gives_no_access(db: None, settings: Settings) -> None:
    settings.HAGGIS_METRICS_TOKEN = ""
    assert Client().get("/metrics", headers={"Authorization": "Bearer "}).status_code == 403


def metric_values() -> dict[str, float]:
    """Return the value of every metric by its name and labels."""
    response = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert response["Content-Type"].startswith("text/plain")
    lines = [line for line in response.content.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_metrics_report_overdue_turns_and_log_entries(database: str, overdue_match: Match) -> None:
    values = metric_values()
    assert values["haggis_database_up"] == 1
    assert values["haggis_overdue_turns"] == 1
    assert 90 <= values["haggis_overdue_oldest_seconds"] < 120
    assert values["haggis_ai_queue_turns"] == 0
    assert values["haggis_log_events_total"] > 0


def test_metrics_count_and_time_requests_by_route(database: str, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = False
    settings.ALLOWED_HOSTS = ["testserver"]
    route = 'method="GET",route="api/v1/matches/<id:match_id>"'
    metric = f'haggis_requests_total{{{route},status="404"}}'
    before = metric_values().get(metric, 0)
    for _ in range(3):
        Client().get("/api/v1/matches/m_none")
    after = metric_values()
    assert after[metric] == before + 3
    assert after[f"haggis_request_seconds_count{{{route}}}"] >= 3


def test_unknown_methods_and_paths_share_one_label(db: None, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = False
    settings.ALLOWED_HOSTS = ["testserver"]
    for number in range(20):
        Client().generic(f"VERB{number}", f"/nothing/{number}")
    assert not [name for name in metric_values() if "VERB" in name or "nothing" in name]
