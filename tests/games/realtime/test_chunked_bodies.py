"""Tests of chunked request bodies, which are buffered up to the largest limit of any view."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from games.records.api import MAX_RECORD
from haggis_service.asgi import application

CHUNKED = [
    (b"host", b"testserver"),
    (b"content-type", b"application/json"),
    (b"transfer-encoding", b"chunked"),
]
CARDS = b'{"players": 2, "cards": ["3r", "J", "Q"]}'
READINGS = "/api/v1/rulesets/classic/readings"
VERIFY = "/api/v1/records/verify"


def post(path: str, chunks: Sequence[bytes]) -> tuple[int, Any]:
    """Post a chunked body; return the status and the parsed response."""
    return asyncio.run(_post(path, chunks))


async def _post(path: str, chunks: Sequence[bytes]) -> tuple[int, Any]:
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": CHUNKED}
    left = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
    left.append({"type": "http.request", "body": b"", "more_body": False})
    sent: list[Any] = []
    gone = asyncio.Event()

    async def receive() -> Any:
        if not left:
            await gone.wait()
        return left.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    await application(scope, receive, send)
    body = b"".join(message.get("body", b"") for message in sent)
    return sent[0]["status"], json.loads(body)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("chunks", ([CARDS], [CARDS[:7], CARDS[7:]], [bytes([each]) for each in CARDS]))
def test_chunks_are_read_as_one_body(chunks: Sequence[bytes]) -> None:
    status, answer = post(READINGS, chunks)
    assert status == 200
    assert len(answer["readings"]) == 3


@pytest.mark.django_db(transaction=True)
def test_an_empty_chunked_body_is_malformed_json() -> None:
    status, answer = post(READINGS, [])
    assert (status, answer["code"]) == (400, "malformed_json")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("path", "length"), ((READINGS, 64 * 1024 + 1), (VERIFY, MAX_RECORD + 1)))
def test_a_chunked_body_over_the_limit_is_rejected_as_too_large(path: str, length: int) -> None:
    status, answer = post(path, [b" " * length])
    assert (status, answer["code"]) == (413, "body_too_large")


@pytest.mark.django_db(transaction=True)
def test_the_rest_of_a_chunked_body_over_the_limit_is_discarded() -> None:
    status, answer = post(VERIFY, [b" " * 1_000_000] * 40)
    assert (status, answer["code"]) == (413, "body_too_large")
