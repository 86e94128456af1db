"""Rate limits."""

import time
from typing import Any

import pytest
from django.core.cache import cache
from pytest_django import Settings
from redis.exceptions import TimeoutError as RedisTimeoutError
from rest_framework.test import APIClient, APIRequestFactory

from games.core import rate_limits
from games.core.addresses import client_address
from tests.support.clients import client_of, code, make_person

pytestmark = pytest.mark.urls("tests.games.api.probe_views")


@pytest.fixture(autouse=True)
def _empty_cache(settings: Settings) -> Any:
    settings.HAGGIS_LIMITS = {"player": (3, 60), "address": (2, 60), "refused": (2, 60)}
    _reset()
    yield
    _reset()


def _reset() -> None:
    cache.clear()
    rate_limits.reset_reservations()
    rate_limits.breaker.open_until = 0.0


def test_a_player_over_the_limit_gets_429_from_any_address(database: str) -> None:
    client = client_of(make_person())
    statuses = [client.get("/api/v1/echo", REMOTE_ADDR=f"10.0.0.{number}").status_code for number in range(4)]
    assert statuses == [200, 200, 200, 429]


def test_players_at_the_same_address_have_separate_limits(database: str) -> None:
    for client in (client_of(make_person()), client_of(make_person())):
        assert [client.get("/api/v1/echo").status_code for _ in range(3)] == [200] * 3


def test_requests_without_a_token_are_counted_by_address(database: str) -> None:
    statuses = [APIClient().get("/api/v1/echo", REMOTE_ADDR="10.0.0.1").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert APIClient().get("/api/v1/echo", REMOTE_ADDR="10.0.0.2").status_code == 200


def test_a_429_response_has_rate_limit_and_retry_headers(database: str) -> None:
    response = [APIClient().get("/api/v1/echo") for _ in range(3)][-1]
    assert code(response) == "rate_limited"
    assert 1 <= int(response["Retry-After"]) <= 60
    assert response.json()["retry_after"] == int(response["Retry-After"])
    assert response["RateLimit-Policy"] == '"address";q=2;w=60'
    assert response["RateLimit"].startswith('"address";r=0;t=')


def test_a_response_has_the_remaining_quota(database: str) -> None:
    assert APIClient().get("/api/v1/echo")["RateLimit"].startswith('"address";r=1;t=')


def test_requests_with_invalid_tokens_are_counted(database: str) -> None:
    guesses = [
        APIClient().get("/api/v1/echo", HTTP_AUTHORIZATION="Bearer guess").status_code for _ in range(3)
    ]
    assert guesses == [401, 401, 429]


def test_the_count_restarts_with_each_window(settings: Settings) -> None:
    used = [rate_limits.count_request("address", "a", now=59.0) for _ in range(3)]
    assert [each.remaining for each in used if each is not None] == [1, 0, -1]
    later = rate_limits.count_request("address", "a", now=60.0)
    assert later is not None
    assert (later.remaining, later.is_exceeded, later.seconds_left) == (1, False, 60)


def test_an_unconfigured_limit_does_not_apply(settings: Settings) -> None:
    settings.HAGGIS_LIMITS = {}
    assert rate_limits.count_request("address", "a") is None


def test_a_failing_cache_admits_requests_and_opens_the_circuit_breaker(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def fail(*_: Any) -> int:
        calls.append(time.monotonic())
        raise RedisTimeoutError

    monkeypatch.setattr(cache, "incr", fail)
    assert [APIClient().get("/api/v1/echo").status_code for _ in range(5)] == [200] * 5
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    (
        (0, None, "10.0.0.9"),
        (0, "1.2.3.4", "10.0.0.9"),
        (1, "1.2.3.4", "1.2.3.4"),
        (1, "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        (2, "6.6.6.6, 1.2.3.4, 10.0.0.1", "1.2.3.4"),
        (2, "1.2.3.4", "10.0.0.9"),
        (1, "2001:db8::1:2:3", "2001:db8::/64"),
        (1, "::ffff:1.2.3.4", "1.2.3.4"),
        (1, "nonsense\x00", "unknown"),
        (1, "", "unknown"),
    ),
)
def test_the_client_address_comes_from_trusted_proxies(
    settings: Settings, proxies: int, forwarded: str | None, expected: str
) -> None:
    settings.HAGGIS_TRUSTED_PROXIES = proxies
    headers: dict[str, Any] = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    assert client_address(APIRequestFactory().get("/", REMOTE_ADDR="10.0.0.9", **headers)) == expected
