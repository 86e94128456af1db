"""What browsers are told of our pages and answers."""

import pytest
from django.test import Client


@pytest.mark.django_db
@pytest.mark.parametrize("address", ("/api/v1/rulesets", "/api/v1/nothing", "/api/docs", "/nothing"))
def test_nothing_is_loaded_from_elsewhere_and_nobody_frames_us(address: str) -> None:
    answer = Client().get(address)
    policy = _policy(answer["Content-Security-Policy"])
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.django_db
def test_an_answer_loads_nothing_and_a_page_what_is_ours() -> None:
    assert "script-src" not in _policy(Client().get("/api/v1/rulesets")["Content-Security-Policy"])
    assert _policy(Client().get("/nothing")["Content-Security-Policy"])["script-src"] == "'self'"


def _policy(header: str) -> dict[str, str]:
    return dict(part.strip().partition(" ")[::2] for part in header.split(";"))
