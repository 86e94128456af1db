"""`Idempotency-Key`."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from rest_framework.test import APIClient

from games.api.idempotency import delete_old_keys
from games.api.models import IdempotencyKey
from games.identity.models import Player
from tests.support.clients import client_of, code, make_person
from tests.support.concurrency import run_concurrently

probe_urls = pytest.mark.urls("tests.games.api.probe_views")


def post(client: APIClient, body: Any = None, key: str = "key") -> Any:
    return client.post("/api/v1/count", {} if body is None else body, HTTP_IDEMPOTENCY_KEY=key)


@probe_urls
def test_a_repeated_request_gets_the_same_response_and_has_no_second_effect(database: str) -> None:
    player = make_person()
    client = client_of(player)
    first, second = post(client), post(client)
    assert (
        (first.status_code, first.content)
        == (second.status_code, second.content)
        == (201, b'{"z":1,"acted":"1"}')
    )
    assert first["Location"] == second["Location"] == "/there"
    assert "Idempotency-Replayed" not in first
    assert second["Idempotency-Replayed"] == "true"
    assert Player.objects.get(pk=player.pk).last_name == "1"


@probe_urls
def test_without_a_key_every_request_takes_effect(database: str) -> None:
    client = client_of(make_person())
    assert [client.post("/api/v1/count", {}).json()["acted"] for _ in range(2)] == ["1", "2"]


@probe_urls
def test_the_same_body_in_another_notation_matches_the_key(database: str) -> None:
    client = client_of(make_person())
    first = post(client, {"a": 1, "b": [1, 2]})
    send: Any = client.generic  # its type stubs do not allow bytes
    again = send(
        "POST",
        "/api/v1/count/",
        b'{ "b":[1,2], "\\u0061":1 }',
        "application/json",
        HTTP_IDEMPOTENCY_KEY="key",
    )
    assert again.content == first.content


@probe_urls
@pytest.mark.parametrize("other", ({"a": 2}, {"a": 1.0}, {"a": True}, {"a": "1"}, {}, {"a": 1, "b": None}))
def test_another_body_with_the_same_key_is_rejected(database: str, other: Any) -> None:
    client = client_of(make_person())
    post(client, {"a": 1})
    response = post(client, other)
    assert (response.status_code, code(response)) == (422, "idempotency_key_reused")


@probe_urls
def test_a_rejected_request_does_not_use_up_the_key(database: str) -> None:
    client = client_of(make_person())
    assert code(post(client, {"refuse": True})) == "match_full"
    assert not IdempotencyKey.objects.exists()
    assert post(client, {}).status_code == 201


@probe_urls
def test_two_players_do_not_share_keys(database: str) -> None:
    assert post(client_of(make_person())).json() == post(client_of(make_person())).json()
    assert IdempotencyKey.objects.count() == 2


@probe_urls
@pytest.mark.parametrize("key", ("", "x" * 256, "a\x00b", "a\x7f", "\xe9", "a\tb"))
def test_an_invalid_key_is_rejected(database: str, key: str) -> None:
    response = post(client_of(make_person()), key=key)
    assert (response.status_code, code(response)) == (400, "invalid_parameter")


@probe_urls
def test_a_key_of_255_printable_characters_is_accepted(database: str) -> None:
    assert post(client_of(make_person()), key="~" + " " * 10 + "x" * 244).status_code == 201


@probe_urls
def test_the_key_of_an_anonymous_request_is_ignored(database: str) -> None:
    for _ in range(2):
        response = APIClient().post("/api/v1/echo", {"number": 1}, HTTP_IDEMPOTENCY_KEY="key")
        assert response.status_code == 201
    assert not IdempotencyKey.objects.exists()


@probe_urls
def test_a_key_expires_after_a_day(database: str) -> None:
    client = client_of(make_person())
    post(client)
    IdempotencyKey.objects.update(created=timezone.now() - timedelta(hours=24, seconds=1))
    assert post(client, {"other": "body"}).json()["acted"] == "2"


@probe_urls
def test_expired_keys_are_deleted_and_recent_ones_remain(database: str) -> None:
    client = client_of(make_person())
    for number in range(3):
        post(client, key=f"old{number}")
    IdempotencyKey.objects.update(created=timezone.now() - timedelta(days=2))
    post(client, key="recent")
    assert delete_old_keys(now=timezone.now(), at_once=2) == 2
    assert delete_old_keys(now=timezone.now()) == 1
    assert list(IdempotencyKey.objects.values_list("key", flat=True)) == ["recent"]


@probe_urls
def test_fifty_concurrent_requests_take_effect_once(committing_database: str) -> None:
    player = make_person()
    secret = client_of(player)._credentials["HTTP_AUTHORIZATION"]  # type: ignore[attr-defined]

    def send() -> tuple[int, bytes]:
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=secret)
        response = post(client)
        return response.status_code, response.content

    counted = Counter(run_concurrently([send] * 50))
    assert counted[201, b'{"z":1,"acted":"1"}'] >= 1
    assert {status for status, _ in counted} <= {201, 409}
    assert Player.objects.get(pk=player.pk).last_name == "1"
    assert post(client_of(player)).content == b'{"z":1,"acted":"1"}'


def views(patterns: list[URLPattern | URLResolver]) -> list[Any]:
    found: list[Any] = []
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            found += views(pattern.url_patterns)
        elif hasattr(pattern.callback, "view_class"):
            found.append(pattern.callback.view_class)
    return found


def test_every_post_method_declares_its_idempotency() -> None:
    posts = {
        view.__name__: view.post
        for view in views(get_resolver("games.urls").url_patterns)
        if hasattr(view, "post")
    }
    assert len(posts) > 5
    assert [name for name, post in posts.items() if not hasattr(post, "idempotency")] == []
