"""Receive request bodies within bounds of size and time, before and after Django has a request.

A response that is sent while the client still sends its body makes proxies and clients see a broken
connection instead of the response. So bodies are received first, up to the limit of their view, and what is
refused is discarded, up to a bound.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any, Final

from django.urls import Resolver404, resolve

from games.api.content import MAX_BODY
from games.api.problems import accept_language_of_headers, problem_response
from games.core.errors import Problem

Message = dict[str, Any]
Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
WsgiApplication = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

# The time for a body: some seconds, and as long as its largest size takes at this rate.
GRACE_SECONDS: Final = 10.0
MIN_BYTES_PER_SECOND: Final = 64 * 1024
# How much of a refused body is discarded, and for how long, before the connection is closed.
MAX_DISCARDED_BYTES: Final = 16 * 1024 * 1024
MAX_DISCARD_SECONDS: Final = 5.0
# How many bodies over MAX_BODY one process receives at once.
MAX_LARGE_BODIES: Final = 16

_METHODS_WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_METHODS_READ: Final = frozenset({"POST", "PUT", "PATCH"})
_FIRST_REFUSAL: Final = 400
_CHUNK_BYTES: Final = 64 * 1024
_CLOSE: Final = (b"connection", b"close")
_CORS: Final = (b"access-control-allow-origin", b"*")


def largest_body(path: str) -> int:
    """Return the limit of the view that a path leads to.

    >>> largest_body("/api/v1/auth/token")
    65536
    """
    try:
        view = resolve(path.rstrip("/") or "/").func
    except Resolver404:
        return MAX_BODY
    return int(getattr(getattr(view, "view_class", None), "largest_body", MAX_BODY))


class BodyReceiver:
    """An ASGI application that passes requests on once their whole body has been received."""

    def __init__(self, application: Application) -> None:
        self._application: Final = application
        self._large_bodies = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Receive the body, or let the application refuse it without having read it."""
        length = _declared_length(scope)
        if length == 0:
            await self._application(scope, receive, send)
            return
        largest = MAX_BODY if length is not None and length <= MAX_BODY else largest_body(scope["path"])
        if length is not None and length > largest:
            await self._refuse(scope, length, receive, send)
            return
        is_large = largest > MAX_BODY
        if is_large and self._large_bodies >= MAX_LARGE_BODIES:
            await _send_problem(Problem("rate_limited", retry_after=1), scope, receive, send)
            return
        self._large_bodies += is_large
        try:
            body = await asyncio.wait_for(_receive_body(receive, largest), _seconds_for(largest))
        except TimeoutError:
            await _send_problem(Problem("request_timeout"), scope, receive, send)
            return
        finally:
            self._large_bodies -= is_large
        if body is None:
            return
        if len(body) > largest:
            await self._refuse(scope, len(body), receive, send)
            return
        await self._application(_with_length(scope, len(body)), _replay(body, receive), send)

    async def _refuse(self, scope: Scope, length: int, receive: Receive, send: Send) -> None:
        """Let the application refuse a body by its length, discard it, and close the connection.

        The application decides how: an invalid token or too many requests are reported first. A stream would
        not notice the end of such a request, so it never starts.
        """
        if scope["method"] not in _METHODS_WITH_BODY:
            await _send_problem(Problem("body_too_large"), scope, receive, send)
            return
        last: list[Message] = []

        async def send_all_but_the_end(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), _CLOSE]}
            elif not message.get("more_body", False):
                last.append({"type": "http.response.body", "body": b"", "more_body": False})
                message = {**message, "more_body": True}
            await send(message)

        await self._application(_with_length(scope, length), _replay(b"", _never), send_all_but_the_end)
        await _discard(receive)
        for message in last:
            await send(message)


def _declared_length(scope: Scope) -> int | None:
    """Return the length of the body, 0 without a body, and None if the length is not declared."""
    if scope["type"] != "http":
        return 0
    is_chunked, length = False, 0
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            length = int(value)
        elif name == b"transfer-encoding":
            is_chunked = True
    return None if is_chunked else length


def _seconds_for(size: int) -> float:
    return GRACE_SECONDS + size / MIN_BYTES_PER_SECOND


async def _receive_body(receive: Receive, largest: int) -> bytes | None:
    """Return the body, or its beginning if it is longer than the limit; None if the client disconnects."""
    parts, size, more = [], 0, True
    while more and size <= largest:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        more = message.get("more_body", False)
    return b"".join(parts)


async def _discard(receive: Receive) -> None:
    """Receive and drop the rest of a body, within bounds."""
    size = 0
    try:
        async with asyncio.timeout(MAX_DISCARD_SECONDS):
            while size < MAX_DISCARDED_BYTES:
                message = await receive()
                size += len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body", False):
                    return
    except TimeoutError:
        return


def _with_length(scope: Scope, length: int) -> Scope:
    """Return the scope of the same request with this length, and not chunked."""
    dropped = {b"transfer-encoding", b"content-length"}
    headers = [each for each in scope["headers"] if each[0] not in dropped]
    return {**scope, "headers": [*headers, (b"content-length", str(length).encode())]}


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a receive callable that yields a received body and then the disconnect."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Any:  # noqa: ANN401 -- an ASGI message
        return messages.pop() if messages else await receive()

    return next_message


async def _never() -> None:
    await asyncio.Event().wait()


async def _send_problem(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Send a problem without the application, and close the connection."""
    response = problem_response(problem, accept_language_of_headers(scope["headers"]))
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    length = (b"content-length", str(len(response.content)).encode())
    start = {"status": response.status_code, "headers": [*headers, length, _CORS, _CLOSE]}
    await send({"type": "http.response.start", **start})
    await send({"type": "http.response.body", "body": response.content, "more_body": True})
    await _discard(receive)
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def drain_unread_bodies(application: WsgiApplication) -> WsgiApplication:
    """Return a WSGI application that reads what the given one has left unread of a body.

    The proxy has received the whole body before it sends the request, so this takes milliseconds. A POST that
    was accepted has been read, so a move does not pay for it.
    """

    def handle(request: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        response = application(request, start_response)
        has_body = request.get("CONTENT_LENGTH") or "HTTP_TRANSFER_ENCODING" in request
        if has_body and not _was_read(request, response):
            _drain(request)
        return response

    return handle


def _was_read(request: dict[str, Any], response: Iterable[bytes]) -> bool:
    """Return whether the application has read the body: it accepted a request that is read from its body."""
    status: int = getattr(response, "status_code", _FIRST_REFUSAL)
    return status < _FIRST_REFUSAL and request["REQUEST_METHOD"] in _METHODS_READ


def _drain(request: dict[str, Any]) -> None:
    body, left = request["wsgi.input"], MAX_DISCARDED_BYTES
    with suppress(OSError):  # the client has gone
        while left > 0 and (chunk := body.read(_CHUNK_BYTES)):
            left -= len(chunk)
