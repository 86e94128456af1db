"""`GET /limits`, the limits of bots and what a 304 costs."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from pytest_django import Settings
from rest_framework.test import APIClient

from games.api.limits import DESCRIPTIONS
from games.api.long_polling import LONG_POLL_KEY, ConnectionSlots, LongPollContext
from games.core import rate_limits
from haggis_service.settings.limits import DEFAULT_LIMITS
from tests.support.clients import anonymous_client, client_of, make_bot, make_person
from tests.support.factories import make_player, start_match

ROOT = "/api/v1"


@pytest.fixture(autouse=True)
def _limits(settings: Settings) -> Iterator[None]:
    settings.HAGGIS_LIMITS = dict.fromkeys(DEFAULT_LIMITS, (1000, 60))
    _reset()
    yield
    _reset()


def _reset() -> None:
    cache.clear()
    rate_limits.reset_reservations()
    rate_limits.breaker.open_until = 0.0


def limits_of(client: APIClient) -> dict[str, Any]:
    answer = client.get(f"{ROOT}/limits")
    assert answer.status_code == 200
    return {each["name"]: each for each in answer.json()["limits"]}


def test_every_limit_is_described() -> None:
    assert set(DESCRIPTIONS) == set(DEFAULT_LIMITS)


def test_callers_see_the_limits_that_apply_to_them(database: str) -> None:
    owner = make_person()
    shared = {"revocations", "accounts", "actions", "hints", "analyses", "vacations", "webhooks"}
    assert set(limits_of(anonymous_client())) == {"address", "refused", "accounts", "webhooks"}
    assert set(limits_of(client_of(owner))) == {"player", *shared}
    assert set(limits_of(make_bot(owner, "robot")[1])) == {"bots", *shared}


def test_the_remaining_requests_count_what_was_used(database: str, settings: Settings) -> None:
    settings.HAGGIS_LIMITS |= {"player": (50, 60), "revocations": (50, 60)}  # counted one by one
    client = client_of(make_person())
    client.get(f"{ROOT}/me")
    client.get(f"{ROOT}/me/tokens")
    found = limits_of(client)
    assert (found["player"]["limit"], found["player"]["window"]) == (50, 60)
    assert (found["player"]["remaining"], found["revocations"]["remaining"]) == (48, 49)
    assert 0 < found["player"]["seconds_left"] <= 60


def test_a_server_without_limits_lists_none(database: str, settings: Settings) -> None:
    settings.HAGGIS_LIMITS = {}
    assert limits_of(anonymous_client()) == {}


def test_limits_are_shown_as_unused_while_the_cache_fails(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(cache, "get_many", fail)
    assert limits_of(anonymous_client())["address"]["remaining"] == 1000


def test_bots_of_one_owner_share_a_limit_that_the_owner_does_not_use(
    database: str, settings: Settings
) -> None:
    settings.HAGGIS_LIMITS = {"player": (2, 60), "bots": (4, 60)}
    owner = make_person()
    clients = [make_bot(owner, name)[1] for name in ("robot", "android")]
    statuses = [client.get(f"{ROOT}/me").status_code for client in clients for _ in range(3)]
    assert statuses == [200, 200, 200, 200, 429, 429]
    assert client_of(owner).get(f"{ROOT}/me").status_code == 200


def test_an_unmodified_response_costs_a_tenth_of_a_request(database: str, settings: Settings) -> None:
    settings.HAGGIS_LIMITS = {"address": (120, 60)}
    client, table = anonymous_client(), f"{ROOT}/matches/{start_match(make_player(), make_player()).pk}"
    tag = client.get(table)["ETag"]
    answers = [client.get(table, HTTP_IF_NONE_MATCH=tag) for _ in range(300)]
    assert {answer.status_code for answer in answers} == {304}
    remaining = int(answers[-1]["RateLimit"].split(";r=")[1].partition(";")[0])
    assert 80 <= remaining <= 90


def test_a_long_poll_is_refunded_once(database: str, settings: Settings) -> None:
    settings.HAGGIS_LIMITS = {"address": (120, 60)}
    client, context = anonymous_client(), LongPollContext(ConnectionSlots())
    table = f"{ROOT}/matches/{start_match(make_player(), make_player()).pk}"
    remaining = []
    for _ in range(20):
        context.is_retry = False
        for _ in range(3):
            extra: Any = {"HTTP_IF_NONE_MATCH": "*", LONG_POLL_KEY: context}
            answer = client.get(table, **extra)
            assert answer.status_code == 304
            context.is_retry = True
        remaining.append(rate_limits.read_limits({"address": "a127.0.0.1"})[0].remaining)
    last = client.get(f"{ROOT}/clocks")["RateLimit"]
    assert 110 <= int(last.split(";r=")[1].partition(";")[0]) <= 119
    assert max(remaining) < 120


def test_refunds_never_exceed_the_limit(settings: Settings) -> None:
    settings.HAGGIS_LIMITS = {"address": (120, 60)}
    first = rate_limits.count_request("address", "a")
    assert first is not None
    for _ in range(1000):
        rate_limits.refund_request("address", "a")
    after = rate_limits.count_request("address", "a")
    assert after is not None
    assert after.remaining < 120
