"""ETags."""

import pytest
from rest_framework.test import APIClient

from tests.support.clients import anonymous_client, client_of, make_person

pytestmark = pytest.mark.urls("tests.games.api.probe_views")


def etag(client: APIClient, path: str = "/api/v1/echo") -> str:
    return str(client.get(path)["ETag"])


def test_the_same_response_has_the_same_etag(database: str) -> None:
    client = client_of(make_person())
    assert etag(client) == etag(client)
    assert etag(client).startswith('W/"')


def test_every_viewer_has_a_different_etag(database: str) -> None:
    clients = [client_of(make_person()), client_of(make_person()), anonymous_client()]
    assert len({etag(client) for client in clients}) == 3


def test_different_urls_have_different_etags(database: str) -> None:
    assert etag(anonymous_client()) != etag(anonymous_client(), "/api/v1/echo?expand=plays")


@pytest.mark.parametrize("header", ("{}", '"x", {}', "*", '{},"y"'))
def test_a_matching_etag_returns_304(database: str, header: str) -> None:
    current = etag(anonymous_client())
    response = anonymous_client().get("/api/v1/echo", HTTP_IF_NONE_MATCH=header.format(current))
    assert (response.status_code, response.content) == (304, b"")
    assert response["ETag"] == current
    assert response["Cache-Control"] == "private, no-cache"


def test_the_strong_form_of_an_etag_matches(database: str) -> None:
    strong = etag(anonymous_client()).removeprefix("W/")
    assert anonymous_client().get("/api/v1/echo", HTTP_IF_NONE_MATCH=strong).status_code == 304


@pytest.mark.parametrize("header", ('W/"other"', "", "nonsense", '"', "W/", '"*"', "\xff"))
def test_another_etag_returns_the_full_response(database: str, header: str) -> None:
    assert anonymous_client().get("/api/v1/echo", HTTP_IF_NONE_MATCH=header).status_code == 200


def test_the_etag_of_another_viewer_does_not_match(database: str) -> None:
    theirs = etag(client_of(make_person()))
    assert client_of(make_person()).get("/api/v1/echo", HTTP_IF_NONE_MATCH=theirs).status_code == 200
