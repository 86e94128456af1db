"""The ASGI application for streams and long polls."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final
from urllib.parse import parse_qsl

from django.http import HttpResponse

from games.api.long_polling import ConnectionSlots, LongPollContext
from games.api.problems import problem_response
from games.core.errors import Problem
from games.realtime.formats import StreamRequest
from games.realtime.handler import DjangoHandler, Scope, headers_of
from games.realtime.hub import Hub
from games.realtime.streams import Receive, Send
from games.records.api import MAX_RECORD

Application = Callable[[Scope, Receive, Send], Awaitable[None]]

_STREAMS: Final = re.compile(r"/api/v1/(?:matches/[^/]+|me)/events/?")
SECONDS_TO_COME_BACK: Final = 2
_READS: Final = frozenset({"GET", "HEAD"})


def is_streaming_request(scope: Scope) -> bool:
    """Whether a request is one that the process for streams is there for; a proxy splits by the same rule."""
    if scope["type"] != "http" or scope["method"] not in _READS:
        return False
    if _STREAMS.fullmatch(scope["path"]):
        return True
    query = scope.get("query_string", b"").decode("latin-1")
    return scope["path"].startswith("/api/") and any(name == "wait" for name, _ in _parameters(query))


def _parameters(query: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query, keep_blank_values=True)
    except ValueError:
        return []  # more of them than anybody reads


class StreamApplication:
    """The application. What waits is kept for each event loop that it serves."""

    def __init__(self, rest: Application) -> None:
        self._rest: Final = rest
        self._asking: Final = DjangoHandler()
        self._places: Final = ConnectionSlots()
        self._hub: Hub | None = None
        self._is_closed = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if not is_streaming_request(scope):
            if is_chunked(scope):
                scope, receive = await buffer_body(scope, receive)
            await self._rest(scope, receive, send)
            return
        if self._is_closed:
            await _answer(problem_response(Problem("unavailable", retry_after=SECONDS_TO_COME_BACK)), send)
            return
        door = LongPollContext(self._places)
        try:
            with self.hub.one_more():
                await self._wait(self.hub, scope, receive, send, door)
        finally:
            door.leave()

    async def close(self) -> None:
        """End what waits, since the server is about to stop."""
        hub, self._hub, self._is_closed = self._hub, None, True
        if hub is not None:
            await hub.close()

    @property
    def hub(self) -> Hub:
        """Whatever waits on this event loop."""
        if self._hub is None or self._hub.loop is not asyncio.get_running_loop():
            self._hub = Hub(self._asking, self._places)
        return self._hub

    async def _wait(
        self, hub: Hub, scope: Scope, receive: Receive, send: Send, door: LongPollContext
    ) -> None:
        await _drain_body(receive)
        response = await _response_unless_disconnected(hub.ask(scope, door), receive)
        if response is None:
            return
        opening: StreamRequest | None = getattr(response, "opening", None)
        if opening is None or scope["method"] == "HEAD":
            await _answer(response, send)
        else:
            del response["Content-Length"]  # which Django has counted: nothing so far
            await _begin(response, send)
            await hub.stream(opening, receive, send)


async def _begin(response: HttpResponse, send: Send) -> None:
    start = {"status": response.status_code, "headers": headers_of(response)}
    await send({"type": "http.response.start", **start})


async def _answer(response: HttpResponse, send: Send) -> None:
    await _begin(response, send)
    await send({"type": "http.response.body", "body": response.content, "more_body": False})


async def _drain_body(receive: Receive) -> None:
    """Read the body that a reading request does not have."""
    while (message := await receive()).get("more_body", False) and message["type"] == "http.request":
        pass


async def _response_unless_disconnected(asked: Any, receive: Receive) -> HttpResponse | None:  # noqa: ANN401 -- a coroutine of it
    """The answer; None when the client has gone before there was one."""
    answering, leaving = asyncio.ensure_future(asked), asyncio.ensure_future(receive())
    try:
        await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return answering.result() if answering.done() else None
    finally:
        for task in (answering, leaving):
            if not task.done():
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task


# One more than the most that any view takes: what is longer is refused as too large wherever it was sent.
_MOST: Final = MAX_RECORD + 1


def is_chunked(scope: Scope) -> bool:
    """Whether a request has a body that does not say its length."""
    if scope["type"] != "http":
        return False
    names = {name for name, _ in scope["headers"]}
    return b"transfer-encoding" in names and b"content-length" not in names


async def buffer_body(scope: Scope, receive: Receive) -> tuple[Scope, Receive]:
    """The same request as if it had said how long its body is."""
    body, more = b"", True
    while more and len(body) < _MOST:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    body = body[:_MOST]
    headers = [(name, value) for name, value in scope["headers"] if name != b"transfer-encoding"]
    length = (b"content-length", str(len(body)).encode())
    return {**scope, "headers": [*headers, length]}, _replay_body(body, receive)


def _replay_body(body: bytes, receive: Receive) -> Receive:
    """A body that was read already, and then the end of the connection; what comes in between is let go."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Any:  # noqa: ANN401 -- a message of ASGI
        if messages:
            return messages.pop()
        while (message := await receive())["type"] == "http.request":
            pass
        return message

    return next_message
