"""Compression of responses without a proxy."""

import asyncio
import gzip
from pathlib import Path

import pytest
from django.test import AsyncClient, Client
from pytest_django import Settings

from tests.support.clients import anonymous_client

COMPRESS = "haggis_service.serving.compression.compress"


@pytest.fixture(autouse=True)
def _compress(settings: Settings) -> None:
    settings.MIDDLEWARE = [settings.MIDDLEWARE[0], COMPRESS, *settings.MIDDLEWARE[1:]]


def test_json_is_compressed_and_has_the_same_etag(database: str) -> None:
    plain = Client().get("/api/v1/rulesets")
    assert "Content-Encoding" not in plain
    response = Client(headers={"Accept-Encoding": "gzip"}).get("/api/v1/rulesets")
    assert response["Content-Encoding"] == "gzip"
    assert gzip.decompress(response.content) == plain.content
    assert len(response.content) < len(plain.content) / 3
    assert "Accept-Encoding" in response["Vary"]
    tag = anonymous_client().get("/api/v1/rulesets/classic")["ETag"]
    headers = {"Accept-Encoding": "gzip", "If-None-Match": tag}
    assert Client(headers=headers).get("/api/v1/rulesets/classic").status_code == 304


def test_static_files_and_pages_are_compressed(tmp_path: Path, settings: Settings) -> None:
    script = "export const cards = [];\n" * 10_000
    (tmp_path / "long.js").write_text(script)
    settings.STATICFILES_DIRS = [tmp_path]
    settings.WHITENOISE_AUTOREFRESH = False
    response = Client(headers={"Accept-Encoding": "gzip"}).get("/static/long.js")
    assert gzip.decompress(response.content).decode() == script
    from_asgi = asyncio.run(AsyncClient().get("/static/long.js", headers={"Accept-Encoding": "gzip"}))
    assert gzip.decompress(from_asgi.content).decode() == script
    assert Client(headers={"Accept-Encoding": "gzip"}).get("/rules")["Content-Encoding"] == "gzip"


def test_short_responses_are_not_compressed(database: str) -> None:
    response = Client(headers={"Accept-Encoding": "gzip"}).get("/healthz")
    assert "Content-Encoding" not in response
