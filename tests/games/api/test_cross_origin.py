"""Pages of other origins may use the API, with a token and never with a cookie."""

import pytest
from rest_framework.test import APIClient

pytestmark = pytest.mark.urls("tests.games.api.probe")


def test_a_page_of_any_origin_may_ask_and_read_what_it_needs() -> None:
    response = APIClient().get("/api/v1/echo", HTTP_ORIGIN="https://elsewhere.example")
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in response
    exposed = set(response["Access-Control-Expose-Headers"].split(", "))
    limits = {"RateLimit", "RateLimit-Policy"}
    assert exposed == {"ETag", "Location", "Link", "Retry-After", "X-Request-ID"} | limits


def test_a_browser_that_asks_first_is_told_what_it_may_send() -> None:
    response = APIClient().options(
        "/api/v1/echo/", HTTP_ORIGIN="https://elsewhere.example", HTTP_ACCESS_CONTROL_REQUEST_METHOD="POST"
    )
    assert response.status_code == 200
    assert {"authorization", "idempotency-key", "if-none-match"} <= set(
        response["Access-Control-Allow-Headers"].split(", ")
    )


def test_a_refusal_can_be_read_too() -> None:
    response = APIClient().get("/api/v1/nowhere", HTTP_ORIGIN="https://elsewhere.example")
    assert response["Access-Control-Allow-Origin"] == "*"


def test_other_pages_of_the_service_are_not_for_other_origins() -> None:
    response = APIClient().get("/healthz", HTTP_ORIGIN="https://elsewhere.example")
    assert "Access-Control-Allow-Origin" not in response
