"""Invalid requests for any route, each with the error code that it must get.

A test module lists its routes with a well-formed body and checks that `accepted` returns nothing:

    ROUTES = [Route("POST", "auth/guest", {"display_name": "Heather"})]
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from rest_framework.test import APIClient

from tests.support.clients import code

ROOT: Final = "/api/v1/"
LARGEST_BODY: Final = 64 * 1024


@dataclass(frozen=True)
class Route:
    """One method of one path with a well-formed body, or None if the route reads no body.

    Space-separated JSON pointers list the members that are required (`needed`), that may be null (`nullable`)
    and whose content is not validated (`opaque`).
    """

    method: str
    path: str
    body: dict[str, Any] | None = None
    needed: str = field(default="", kw_only=True)
    nullable: str = field(default="", kw_only=True)
    opaque: str = field(default="", kw_only=True)
    parameters: str = field(default="", kw_only=True)
    largest_body: int = field(default=LARGEST_BODY, kw_only=True)
    user: str = field(default="maker", kw_only=True)

    def __str__(self) -> str:
        """Return the id of the test case."""
        kind = (self.body or {}).get("type")
        return f"{self.method} {self.path}" + (f" ({kind})" if kind else "")


@dataclass(frozen=True)
class BadRequest:
    """A request and the expected error code."""

    route: Route
    name: str
    content: bytes
    code: str
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    query: str = ""

    def __str__(self) -> str:
        """Return the id of the test case."""
        return f"{self.route}: {self.name}"


_UNREADABLE: Final[dict[str, bytes]] = {
    "not JSON": b"{",
    "text": b"hello",
    "two values": b"{} {}",
    "depth 100,000 of lists": b"[" * 30_000,
    "depth of objects": b'{"a":' * 6_000 + b"1" + b"}" * 6_000,
    "depth behind a string": b'{"a": "[[[", "b": ' + b"[" * 40 + b"]" * 40 + b"}",
    "an unterminated string": b'{"a": "' + b"[" * 100,
    "1e999": b'{"a": 1e999}',
    "-1e999": b'{"a": -1e999}',
    "NaN": b'{"a": NaN}',
    "Infinity": b'{"a": [Infinity]}',
    "a number of 5,000 digits": b'{"a": ' + b"9" * 5_000 + b"}",
    "half a surrogate pair": rb'{"a": "\ud800"}',
    "half a surrogate pair in a name": rb'{"\udfff": 1}',
    "NUL": rb'{"a": ["\u0000"]}',
    "unescaped NUL": b'{"a": "\x00"}',
    "a member twice": b'{"a": 1, "a": 1}',
    "not UTF-8": b'{"a": "\xff"}',
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf{}",
}
_NOT_AN_OBJECT: Final[dict[str, bytes]] = {
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
_NUMBERS: Final = ("-1", "x", "1.5", "1e1", "", "%00", "0x1", "%EF%BC%91", "9" * 30, "1%0a")
_NAMES: Final = ("nonsense", "", "%00", "a%0ab", "x" * 600)
# Invalid values of query parameters.
_WRONG_PARAMETERS: Final[dict[str, tuple[str, ...]]] = {
    "limit": ("0", "201", *_NUMBERS),
    "cursor": ("x", "WzEsMl0", "bnVsbA", "W10", "%00", "", "x" * 600),
    "after": _NUMBERS,
    "wait": ("31", *_NUMBERS),
    "width": _NUMBERS,
    "length": _NUMBERS,
    "top": _NUMBERS,
    "kind": _NAMES,
    "expand": _NAMES,
    "status": _NAMES,
    "ruleset": _NAMES,
    "ordering": _NAMES,
    "online": ("1", "yes", *_NAMES),
    "follows": ("1", "yes", *_NAMES),
    "my_turn": ("1", "yes", *_NAMES),
    "ids": ("", "a,", "%00", "a%0ab", "x" * 100, ",".join(["m_1"] * 201)),
    "include": ("table,", "table,table", "table;legal_moves", *_NAMES),
    "open_seats": ("1", "yes", *_NAMES),
    "player": ("%00", "a%0ab", "x" * 600),
    "maker": ("%00", "a%0ab", "x" * 600),
    "players": ("1", "4", *_NUMBERS),
    "against": ("%00", "a%0ab", "x" * 600),
    "result": _NAMES,
    "since": ("yesterday", "2026-13-01", *_NAMES),
    "until": ("yesterday", "2026-13-01", *_NAMES),
    "q": ("%00", "a%0ab", "x" * 600),
}
_FORGED: Final = ("Bearer \xff\xfe none", "Bearer", "Bearer a b", "Basic YTpi", "Bearer " + "a" * 5_000, "x")


def bad_requests(route: Route) -> Iterator[BadRequest]:
    """Yield the invalid requests for one route."""
    good = b"" if route.body is None else json.dumps(route.body).encode()
    for accept in ("text/html", "application/json;q=0", "nonsense"):
        headers = {"HTTP_ACCEPT": accept}
        yield BadRequest(route, f"Accept: {accept}", good, "not_acceptable", headers=headers)
    for shown in _FORGED:
        headers = {"HTTP_AUTHORIZATION": shown}
        yield BadRequest(route, f"Authorization: {shown[:20]}", good, "not_authenticated", headers=headers)
    for name in route.parameters.split():
        for value in _WRONG_PARAMETERS[name]:
            query = f"?{name}={value}"
            yield BadRequest(route, query[:40], good, "invalid_parameter", query=query)
    if route.body is not None:
        yield from _bad_bodies(route, route.body, good)


def _bad_bodies(route: Route, body: dict[str, Any], good: bytes) -> Iterator[BadRequest]:
    for name, content in _UNREADABLE.items():
        yield BadRequest(route, name, content, "malformed_json")
    for name, content in _NOT_AN_OBJECT.items():
        yield BadRequest(route, name, content, "validation_error")
    for name, changed in _wrong_values(route, body, ""):
        yield BadRequest(route, name, json.dumps(changed).encode(), "validation_error")
    padded = json.dumps({**body, "padding": "x" * route.largest_body}).encode()
    yield BadRequest(route, "too large", padded, "body_too_large")
    yield BadRequest(route, "too large and not JSON", b"[" * (route.largest_body + 1), "body_too_large")
    for kind in (
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=latin-1",
        "text/plain",
        "x",
    ):
        yield BadRequest(route, kind, good, "unsupported_media_type", content_type=kind)


def _wrong_values(route: Route, value: Any, pointer: str) -> Iterator[tuple[str, Any]]:
    """Yield a name and an invalid replacement for every part of a value."""
    if pointer:
        for wrong in _WRONG_VALUES[type(value)]:
            yield f"{pointer} = {wrong!r}"[:60], wrong
        if pointer not in route.nullable.split():
            yield f"{pointer} = null", None
    if isinstance(value, list) and value:
        for name, inner in _wrong_values(route, value[0], f"{pointer}/0"):
            yield name, [inner, *value[1:]]
    if not isinstance(value, dict) or pointer in route.opaque.split():
        return
    yield f"{pointer}/surprise", {**value, "surprise": 1}
    yield f"{pointer}/a strange name", {**value, "a/b~c \U0001f0a1": None}
    for member in value:
        below = f"{pointer}/{member}"
        if below in route.needed.split():
            yield f"no {below}", {name: each for name, each in value.items() if name != member}
        for name, inner in _wrong_values(route, value[member], below):
            yield name, {**value, member: inner}


def send_bad_request(client: APIClient, bad: BadRequest) -> Any:
    """Send the request."""
    sender = APIClient() if "HTTP_AUTHORIZATION" in bad.headers else client
    send: Any = sender.generic  # its type stubs do not allow bytes
    address = ROOT + bad.route.path + bad.query
    return send(bad.route.method, address, bad.content, content_type=bad.content_type, **bad.headers)


def accepted(client: APIClient, route: Route) -> list[str]:
    """Return the invalid requests that were not rejected with the expected code."""
    failures = []
    for bad in bad_requests(route):
        response = send_bad_request(client, bad)
        if response.status_code < 400 or code(response) != bad.code:
            failures.append(f"{bad.name}: {response.status_code} {response.content[:200]!r}")
    return failures
