"""Security headers of pages and API responses."""

import pytest
from django.test import Client


@pytest.mark.django_db
@pytest.mark.parametrize("path", ("/api/v1/rulesets", "/api/v1/nothing", "/api/docs", "/nothing"))
def test_policy_forbids_other_origins_and_framing(path: str) -> None:
    response = Client().get(path)
    policy = _policy(response["Content-Security-Policy"])
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in response["Content-Security-Policy"]
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"


@pytest.mark.django_db
def test_api_responses_load_nothing_and_pages_load_own_scripts() -> None:
    assert "script-src" not in _policy(Client().get("/api/v1/rulesets")["Content-Security-Policy"])
    assert _policy(Client().get("/nothing")["Content-Security-Policy"])["script-src"] == "'self'"


def _policy(header: str) -> dict[str, str]:
    return dict(part.strip().partition(" ")[::2] for part in header.split(";"))
