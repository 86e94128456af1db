"""Content types of request bodies, and content negotiation by `Accept`."""

from typing import Any

import pytest
from rest_framework.exceptions import NotAcceptable
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.test import APIClient, APIRequestFactory

from games.api.content import QualityNegotiation
from games.records.api import NotationRenderer
from tests.support.clients import code

pytestmark = pytest.mark.urls("tests.games.api.probe_views")


@pytest.mark.parametrize(
    "accept",
    (
        "",
        "*/*",
        "application/json",
        "APPLICATION/JSON",
        "application/json; charset=utf-8",
        "application/json;indent=8",
        "application/*;q=0.1, text/html",
        "text/html;q=0, */*;q=0.001",
        "application/json;q=much",
    ),
)
def test_json_is_returned_for_accept_headers_that_allow_it(accept: str) -> None:
    response = APIClient().get("/api/v1/echo", HTTP_ACCEPT=accept)
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")
    assert response.content == b'{"you":false}'


@pytest.mark.parametrize(
    "accept",
    (
        "text/html",
        "application/xml",
        "nonsense",
        "application/json;q=0",
        "application/json;q=0.000, */*",
        "application/*;q=0, */*;q=0.5",
        "*/*;q=0",
        ",,,",
    ),
)
def test_accept_headers_that_exclude_json_are_rejected(accept: str) -> None:
    response = APIClient().get("/api/v1/echo", HTTP_ACCEPT=accept)
    assert (response.status_code, code(response)) == (406, "not_acceptable")


def negotiated_type(accept: str) -> str:
    """Return the media type that is chosen for a record, which has two."""
    request = Request(APIRequestFactory().get("/", HTTP_ACCEPT=accept))
    renderers: list[BaseRenderer] = [JSONRenderer(), NotationRenderer()]
    try:
        return QualityNegotiation().select_renderer(request, renderers)[1]
    except NotAcceptable:
        return "none"


@pytest.mark.parametrize(
    ("accept", "expected"),
    (
        ("*/*", "application/json"),
        ("text/plain, application/json", "application/json"),
        ("text/plain, application/json;q=0.9", "text/plain"),
        ("text/*;q=0.3, application/json;q=0.2", "text/plain"),
        ("*/*, application/json;q=0.5", "text/plain"),
        ("*/*, application/json;q=0", "text/plain"),
        ("*/*;q=0.1, text/plain;q=0", "application/json"),
        ("text/plain;q=0, application/json;q=0", "none"),
    ),
)
def test_the_media_type_with_the_highest_quality_value_is_chosen(accept: str, expected: str) -> None:
    assert negotiated_type(accept) == expected


def post(content_type: str) -> Any:
    send: Any = APIClient().generic  # its type stubs do not allow bytes
    return send("POST", "/api/v1/echo", b'{"number": 1}', content_type=content_type)


@pytest.mark.parametrize(
    "content_type",
    (
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        'application/json;charset="UTF-8"',
        "application/json; version=1",
    ),
)
def test_a_json_body_in_utf_8_is_accepted(content_type: str) -> None:
    assert post(content_type).status_code == 201


@pytest.mark.parametrize(
    "content_type",
    (
        "",
        "*/*",
        "application/*",
        "application/jsonp",
        "application/json; charset=latin-1",
        "application/json; charset=utf-16",
        "application/json; charset=",
        "application/json; charset=utf-8" + " " * 9000,
        "text/plain",
    ),
)
def test_a_body_with_another_content_type_is_rejected(content_type: str) -> None:
    response = post(content_type)
    assert (response.status_code, code(response)) == (415, "unsupported_media_type")
