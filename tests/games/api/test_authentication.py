"""Bearer token authentication."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from games.identity.models import ApiToken, Closing
from games.identity.services import close_account, log_in_token
from tests.support.clients import client_of, client_with_token, code, make_guest, make_person

pytestmark = pytest.mark.urls("tests.games.api.probe_views")


def test_a_token_and_its_player_take_one_query(database: str, django_assert_num_queries: Any) -> None:
    client = client_of(make_person())
    with django_assert_num_queries(1):
        assert client.get("/api/v1/count").status_code == 200


def test_one_of_several_tokens_takes_one_query(database: str, django_assert_num_queries: Any) -> None:
    player = make_person()
    for _ in range(5):
        log_in_token(player=player)
    client = client_of(player)
    with django_assert_num_queries(1):
        client.get("/api/v1/count")


@pytest.mark.parametrize(
    "header",
    (
        "Bearer",
        "Bearer ",
        "Bearer haggis_0",
        "Bearer a b",
        "Basic abc",
        "Token abc",
        "haggis",
        "Bearer \xff",
        "Bearer " + "x" * 10_000,
        "Bearer '; --",
        "Bearer \x00",
    ),
)
def test_an_invalid_token_is_rejected_even_on_public_endpoints(database: str, header: str) -> None:
    response = APIClient().get("/api/v1/echo", HTTP_AUTHORIZATION=header)
    assert (response.status_code, code(response)) == (401, "not_authenticated")


def test_the_authentication_scheme_is_case_insensitive(database: str) -> None:
    secret = log_in_token(player=make_person()).secret
    assert APIClient().get("/api/v1/count", HTTP_AUTHORIZATION=f"bearer {secret}").status_code == 200


def test_a_token_in_the_query_string_is_ignored(database: str) -> None:
    secret = log_in_token(player=make_person()).secret
    assert APIClient().get(f"/api/v1/count?token={secret}").status_code == 401


def test_an_expired_token_is_rejected(database: str) -> None:
    new = log_in_token(player=make_person())
    ApiToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    assert client_with_token(new.secret).get("/api/v1/count").status_code == 401


def test_an_inactive_player_is_rejected(database: str) -> None:
    player = make_person()
    client = client_of(player)
    close_account(player=player, closing=Closing.BAN)
    assert client.get("/api/v1/count").status_code == 401


def test_using_a_token_extends_its_expiry_once_a_day(database: str, django_assert_num_queries: Any) -> None:
    new = log_in_token(player=make_person())
    client = client_with_token(new.secret)
    ApiToken.objects.update(expiry=timezone.now() + timedelta(days=50))
    with django_assert_num_queries(2):
        client.get("/api/v1/count")
    assert ApiToken.objects.get().expiry > timezone.now() + timedelta(days=89)
    with django_assert_num_queries(1):
        client.get("/api/v1/count")


def test_a_token_with_a_fixed_expiry_is_not_extended(database: str) -> None:
    end = timezone.now() + timedelta(days=2)
    new = log_in_token(player=make_person())
    ApiToken.objects.update(expiry=end, sliding=None)
    client_with_token(new.secret).get("/api/v1/count")
    assert ApiToken.objects.get().expiry == end


def test_the_token_of_a_guest_is_valid_for_a_year(database: str) -> None:
    _, client = make_guest()
    assert client.get("/api/v1/count").status_code == 200
    assert ApiToken.objects.get().expiry > timezone.now() + timedelta(days=364)


def test_only_the_hash_of_a_token_is_stored(database: str) -> None:
    new = log_in_token(player=make_person())
    (row,) = ApiToken.objects.values()
    assert new.secret not in repr(row)
    assert len(new.secret.removeprefix("haggis_")) == 64
    assert new.secret not in repr(new)
    assert row["digest"] not in str(new.token)
