"""Requests that cannot be meant, for any route: each with the answer that it must get.

A module of tests lists its routes with a body that is right in shape, and runs `bad_requests` of each:

    ROUTES = [Route("POST", "/api/v1/auth/guest", {"display_name": "Heather"})]

    @pytest.mark.parametrize("bad", every_bad_request(ROUTES), ids=str)
    def test_bad_input_is_refused(database, bad):
        refuses(client, bad)
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from rest_framework.test import APIClient

from tests.games.api.clients import code

LARGEST_BODY: Final = 64 * 1024


@dataclass(frozen=True)
class Route:
    """One method of one address. `body` is right in its shape; None where the route takes no body."""

    method: str
    path: str
    body: dict[str, Any] | None = None
    largest_body: int = LARGEST_BODY
    # Members whose value may be anything, and is judged by other rules than shape.
    free: frozenset[str] = frozenset()


@dataclass(frozen=True)
class BadRequest:
    """A request, and the codes one of which must come back."""

    route: Route
    name: str
    content: bytes
    codes: frozenset[str]
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    query: str = ""

    def __str__(self) -> str:
        """Name the case."""
        return f"{self.route.method} {self.route.path}: {self.name}"


MALFORMED: Final = frozenset({"malformed_json"})
INVALID: Final = frozenset({"validation_error"})

_UNREADABLE: Final[dict[str, bytes]] = {
    "no JSON": b"{",
    "text": b"hello",
    "two values": b"{} {}",
    "depth 100,000 of lists": b"[" * 30_000,
    "depth of objects": b'{"a":' * 6_000 + b"1" + b"}" * 6_000,
    "depth behind a string": b'{"a": "[[[", "b": ' + b"[" * 40 + b"]" * 40 + b"}",
    "a string without end": b'{"a": "' + b"[" * 100,
    "1e999": b'{"a": 1e999}',
    "-1e999": b'{"a": -1e999}',
    "NaN": b'{"a": NaN}',
    "Infinity": b'{"a": [Infinity]}',
    "a number of 5,000 digits": b'{"a": ' + b"9" * 5_000 + b"}",
    "half a surrogate pair": rb'{"a": "\ud800"}',
    "half a surrogate pair in a name": rb'{"\udfff": 1}',
    "NUL": rb'{"a": ["\u0000"]}',
    "NUL as it is": b'{"a": "\x00"}',
    "a member twice": b'{"a": 1, "a": 1}',
    "no UTF-8": b'{"a": "\xff"}',
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf{}",
}
_NO_OBJECT: Final[dict[str, bytes]] = {
    "null": b"null",
    "a list": b"[]",
    "a list of objects": b"[{}]",
    "a string": b'"text"',
    "a number": b"7",
    "true": b"true",
}
_WRONG_VALUES: Final[dict[type, tuple[Any, ...]]] = {
    str: (7, 1.5, True, ["text"], {"text": "text"}, "\x07" * 70_0),
    int: ("1", 1.0, 1.5, True, [1], {"value": 1}, 10**30, -(10**30), ""),
    bool: ("true", 1, 0, "yes", [], {}),
    list: ("text", 1, True, {"0": 1}, [[]], [{}], [None]),
    dict: ("text", 1, True, [], [{}]),
}


def every_bad_request(routes: Iterable[Route]) -> list[BadRequest]:
    """The whole table for these routes."""
    return [bad for route in routes for bad in bad_requests(route)]


def bad_requests(route: Route) -> Iterator[BadRequest]:
    """The table for one route."""
    if route.body is None:
        return
    for name, content in _UNREADABLE.items():
        yield BadRequest(route, name, content, MALFORMED)
    for name, content in _NO_OBJECT.items():
        yield BadRequest(route, name, content, INVALID)
    yield from _wrong_members(route, route.body)
    good = json.dumps(route.body).encode()
    padded = json.dumps({**route.body, "padding": "x" * route.largest_body}).encode()
    too_large = frozenset({"body_too_large"})
    yield BadRequest(route, "too large", padded, too_large)
    yield BadRequest(route, "too large and no JSON", b"[" * (route.largest_body + 1), too_large)
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "x"):
        yield BadRequest(route, kind, good, frozenset({"unsupported_media_type"}), content_type=kind)
    yield BadRequest(
        route, "Accept: text/html", good, frozenset({"not_acceptable"}), headers={"HTTP_ACCEPT": "text/html"}
    )
    yield BadRequest(
        route,
        "a token that is none",
        good,
        frozenset({"not_authenticated"}),
        headers={"HTTP_AUTHORIZATION": "Bearer \xff\xfe none"},
    )


def _wrong_members(route: Route, body: dict[str, Any]) -> Iterator[BadRequest]:
    """Each member with each kind of value that it cannot have, and one member too many."""
    yield _changed(route, "an unknown member", {**body, "surprise": 1})
    yield _changed(route, "an unknown member with a strange name", {**body, "a/b~c \U0001f0a1": None})
    for name, value in body.items():
        if name in route.free:
            continue
        for wrong in _WRONG_VALUES[type(value)]:
            shown = repr(wrong)[:30]
            yield _changed(route, f"{name} = {shown}", {**body, name: wrong})


def _changed(route: Route, name: str, body: dict[str, Any]) -> BadRequest:
    return BadRequest(route, name, json.dumps(body).encode(), INVALID)


def answer_to(client: APIClient, bad: BadRequest) -> Any:
    """Send it."""
    sender = APIClient() if "HTTP_AUTHORIZATION" in bad.headers else client
    send: Any = sender.generic  # its types know of no bodies of bytes
    return send(
        bad.route.method,
        bad.route.path + bad.query,
        bad.content,
        content_type=bad.content_type,
        **bad.headers,
    )


def refuses(client: APIClient, bad: BadRequest) -> None:
    """Send it, and see that it is refused in the way that it must be."""
    response = answer_to(client, bad)
    assert response.status_code < 500, response.content
    assert code(response) in bad.codes, response.content
