"""ETags."""

import pytest
from rest_framework.test import APIClient

from tests.support.clients import client_of, nobody, person

pytestmark = pytest.mark.urls("tests.games.api.probe")


def tag(client: APIClient, path: str = "/api/v1/echo") -> str:
    return str(client.get(path)["ETag"])


def test_what_is_the_same_has_one_tag(database: str) -> None:
    client = client_of(person())
    assert tag(client) == tag(client)
    assert tag(client).startswith('W/"')


def test_no_two_viewers_have_one_tag(database: str) -> None:
    clients = [client_of(person()), client_of(person()), nobody()]
    assert len({tag(client) for client in clients}) == 3


def test_two_addresses_have_two_tags(database: str) -> None:
    assert tag(nobody()) != tag(nobody(), "/api/v1/echo?expand=plays")


@pytest.mark.parametrize("form", ("{}", '"x", {}', "*", '{},"y"'))
def test_whoever_has_it_gets_nothing_more(database: str, form: str) -> None:
    held = tag(nobody())
    response = nobody().get("/api/v1/echo", HTTP_IF_NONE_MATCH=form.format(held))
    assert (response.status_code, response.content) == (304, b"")
    assert response["ETag"] == held
    assert response["Cache-Control"] == "private, no-cache"


def test_a_strong_form_of_the_tag_is_the_tag(database: str) -> None:
    held = tag(nobody()).removeprefix("W/")
    assert nobody().get("/api/v1/echo", HTTP_IF_NONE_MATCH=held).status_code == 304


@pytest.mark.parametrize("form", ('W/"other"', "", "nonsense", '"', "W/", '"*"', "\xff"))
def test_whoever_has_something_else_gets_it(database: str, form: str) -> None:
    assert nobody().get("/api/v1/echo", HTTP_IF_NONE_MATCH=form).status_code == 200


def test_the_tag_of_somebody_else_is_worth_nothing(database: str) -> None:
    theirs = tag(client_of(person()))
    assert client_of(person()).get("/api/v1/echo", HTTP_IF_NONE_MATCH=theirs).status_code == 200
