"""Problem responses."""

import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import OperationalError
from django.http import Http404, UnreadablePostError
from django.test import Client
from rest_framework import exceptions
from rest_framework.test import APIClient, APIRequestFactory

from games.api.problems import problem_response
from games.core.errors import CODES, Problem
from tests.games.api.probe_views import raising
from tests.support.clients import code

pytestmark = pytest.mark.urls("tests.games.api.probe_views")


@pytest.mark.parametrize(
    ("error", "status", "expected"),
    (
        (Problem("match_full"), 409, "match_full"),
        (Http404(), 404, "not_found"),
        (PermissionDenied(), 403, "not_allowed"),
        (RequestDataTooBig(), 413, "body_too_large"),
        (SuspiciousOperation(), 400, "invalid_parameter"),
        (UnreadablePostError(), 400, "malformed_json"),
        (OperationalError("locked"), 503, "unavailable"),
        (exceptions.ParseError(), 400, "malformed_json"),
        (exceptions.NotAuthenticated(), 401, "not_authenticated"),
        (exceptions.AuthenticationFailed(), 401, "not_authenticated"),
        (exceptions.PermissionDenied(), 403, "not_allowed"),
        (exceptions.NotFound(), 404, "not_found"),
        (exceptions.MethodNotAllowed("GET"), 405, "method_not_allowed"),
        (exceptions.NotAcceptable(), 406, "not_acceptable"),
        (exceptions.UnsupportedMediaType("x"), 415, "unsupported_media_type"),
        (exceptions.Throttled(), 429, "rate_limited"),
        (exceptions.ValidationError({"a": ["wrong"]}), 422, "validation_error"),
    ),
)
def test_exceptions_of_views_become_problems(error: Exception, status: int, expected: str) -> None:
    response = raising(error)(APIRequestFactory().get("/"))
    assert (response.status_code, code(response)) == (status, expected)


@pytest.mark.parametrize("name", CODES)
def test_every_code_can_be_rendered(name: str) -> None:
    response = problem_response(Problem(name))
    assert code(response) == name


def test_a_problem_contains_its_extra_members() -> None:
    response = problem_response(Problem("stale_version", version=7))
    assert response.headers["Content-Type"] == "application/problem+json"
    assert b'"version":7' in response.content


def test_retry_after_is_in_the_header_and_the_body() -> None:
    response = problem_response(Problem("rate_limited", retry_after=12))
    assert response["Retry-After"] == "12"
    assert b'"retry_after":12' in response.content


def test_a_401_response_has_a_www_authenticate_header() -> None:
    assert APIClient().get("/api/v1/count")["WWW-Authenticate"] == 'Bearer realm="haggis"'


@pytest.mark.parametrize(
    "path", ("/api", "/api/", "/api/v1", "/api/v1/nowhere", "/api/v2/echo/", "/api/v1/e%00cho")
)
@pytest.mark.parametrize("method", ("GET", "POST", "DELETE"))
def test_an_unknown_path_returns_a_problem(path: str, method: str) -> None:
    response = APIClient(enforce_csrf_checks=True).generic(method, path)
    assert (response.status_code, code(response)) == (404, "not_found")


def test_a_server_error_returns_a_problem_without_internals() -> None:
    response = Client(raise_request_exception=False).get("/api/v1/broken")
    assert (response.status_code, code(response)) == (500, "server_error")
    assert b"ZeroDivision" not in response.content


@pytest.mark.parametrize("path", ("/api/v1/echo", "/api/v1/nowhere", "/api/v2"))
def test_a_request_for_another_host_returns_a_problem(path: str) -> None:
    response = Client().get(path, headers={"Host": "elsewhere.example"})
    assert (response.status_code, code(response)) == (400, "bad_request")


def test_errors_outside_of_the_api_are_html_pages() -> None:
    for headers, status in (({}, 404), ({"Host": "elsewhere.example"}, 400)):
        response = Client().get("/nowhere", headers=headers)
        assert (response.status_code, response["Content-Type"]) == (status, "text/html; charset=utf-8")


@pytest.mark.parametrize("method", ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"))
def test_an_unsupported_method_returns_a_problem(method: str) -> None:
    response = APIClient().generic(method, "/api/v1/echo")
    assert (response.status_code, code(response)) == (405, "method_not_allowed")
    assert response["Allow"] == "GET, POST, HEAD"


def test_the_format_parameter_is_ignored() -> None:
    assert APIClient().get("/api/v1/echo?format=api").status_code == 200


def test_responses_are_private_and_vary_by_token() -> None:
    response = APIClient().get("/api/v1/echo")
    assert response["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Accept"} <= set(response["Vary"].split(", "))


@pytest.mark.parametrize("path", ("/api/v1/echo", "/api/v1/echo/"))
def test_a_trailing_slash_is_ignored(path: str) -> None:
    response = APIClient().post(path, {"number": 1})
    assert response.status_code == 201
