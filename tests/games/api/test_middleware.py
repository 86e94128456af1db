"""API requests do not run the middleware of pages."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpRequest, StreamingHttpResponse
from django.test import AsyncClient, Client
from django.urls import path
from pytest_django import Settings

ORIGIN = {"origin": "https://elsewhere.example"}
API = "games.api.middleware.ApiMiddleware"


class PageWasServed(Exception):
    """Raised by the middleware that stands for those of pages."""


def refuse(_: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Raise for every request that gets here."""

    def middleware(_: HttpRequest) -> Any:
        raise PageWasServed

    return middleware


@pytest.fixture
def _no_pages(settings: Settings) -> None:
    names = settings.MIDDLEWARE
    assert len(names[: names.index(API) + 1]) <= 3
    settings.MIDDLEWARE = [*names[: names.index(API) + 1], f"{__name__}.refuse"]


@pytest.mark.usefixtures("_no_pages")
@pytest.mark.parametrize(
    ("path", "status"),
    (
        ("/api/v1/rulesets", 200),
        ("/api/v1/rulesets/", 200),
        ("/api/v1/me", 401),
        ("/api/v1/nothing", 404),
        ("/api/nothing", 404),
        ("/api/docs", 200),
    ),
)
def test_api_requests_run_no_page_middleware(database: str, path: str, status: int) -> None:
    assert Client().get(path).status_code == status
    response = asyncio.run(AsyncClient().get(path)) if database == "sqlite" else Client().get(path)
    assert response.status_code == status


@pytest.mark.usefixtures("_no_pages")
@pytest.mark.parametrize("path", ("/", "/api", "/admin/", "/healthz"))
def test_other_requests_run_page_middleware(path: str) -> None:
    with pytest.raises(PageWasServed):
        Client().get(path)


@pytest.mark.urls("tests.games.api.probe_views")
def test_a_server_error_has_the_headers_of_api_responses() -> None:
    response = Client(raise_request_exception=False).get("/api/v1/broken", headers=ORIGIN)
    assert response.status_code == 500
    assert response["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Access-Control-Allow-Origin"] == "*"
    assert response["Content-Length"] == str(len(response.content))


def stream(_: HttpRequest) -> StreamingHttpResponse:
    return StreamingHttpResponse(iter((b"one ", b"two")))


urlpatterns = [path("api/v1/stream", stream)]


@pytest.mark.urls(__name__)
def test_a_streaming_response_has_no_content_length() -> None:
    response = Client().get("/api/v1/stream")
    assert b"".join(response) == b"one two"
    assert "Content-Length" not in response
    assert response["X-Frame-Options"] == "DENY"


def test_an_unknown_host_gets_a_problem_with_the_headers_of_api_responses(settings: Settings) -> None:
    response = Client().get("/api/v1/nothing", headers={**ORIGIN, "host": "unknown.example"})
    assert (response.status_code, response.json()["code"]) == (400, "bad_request")
    assert response["Access-Control-Allow-Origin"] == "*"


def test_plain_http_is_redirected_if_the_settings_say_so(settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_HSTS_SECONDS = 60
    assert Client().get("/api/v1/nothing")["Location"] == "https://testserver/api/v1/nothing"
    assert "max-age=60" in Client().get("/api/v1/nothing", secure=True)["Strict-Transport-Security"]


def test_the_documentation_page_has_the_policy_of_pages() -> None:
    assert "script-src 'self'" in Client().get("/api/docs")["Content-Security-Policy"]
