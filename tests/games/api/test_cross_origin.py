"""CORS: pages of other origins may use the API with a token but not with cookies."""

import pytest
from rest_framework.test import APIClient

pytestmark = pytest.mark.urls("tests.games.api.probe_views")


def test_any_origin_can_read_responses_and_the_exposed_headers() -> None:
    response = APIClient().get("/api/v1/echo", HTTP_ORIGIN="https://elsewhere.example")
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in response
    exposed = set(response["Access-Control-Expose-Headers"].split(", "))
    limits = {"RateLimit", "RateLimit-Policy"}
    assert exposed == {
        "ETag",
        "Idempotency-Replayed",
        "Link",
        "Location",
        "Retry-After",
        "X-Request-ID",
    } | limits | {"Deprecation", "Sunset"}


def test_a_preflight_request_gets_the_allowed_headers() -> None:
    response = APIClient().options(
        "/api/v1/echo/", HTTP_ORIGIN="https://elsewhere.example", HTTP_ACCESS_CONTROL_REQUEST_METHOD="POST"
    )
    assert response.status_code == 200
    assert {"authorization", "idempotency-key", "if-none-match"} <= set(
        response["Access-Control-Allow-Headers"].split(", ")
    )


def test_error_responses_have_cors_headers() -> None:
    response = APIClient().get("/api/v1/nowhere", HTTP_ORIGIN="https://elsewhere.example")
    assert response["Access-Control-Allow-Origin"] == "*"


def test_paths_outside_of_the_api_have_no_cors_headers() -> None:
    response = APIClient().get("/healthz", HTTP_ORIGIN="https://elsewhere.example")
    assert "Access-Control-Allow-Origin" not in response
