"""The ASGI application for streams and long polls."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final
from urllib.parse import parse_qsl

from django.http import HttpResponse

from games.api.long_polling import ConnectionSlots, LongPollContext
from games.api.problems import accept_language_of_headers, problem_response
from games.core.errors import Problem
from games.realtime.formats import StreamRequest
from games.realtime.handler import DjangoHandler, Scope, headers_of
from games.realtime.hub import Hub
from games.realtime.streams import Receive, Send

Application = Callable[[Scope, Receive, Send], Awaitable[None]]

_STREAM_PATHS: Final = re.compile(r"/api/v1/(?:matches/[^/]+|me)/events/?")
RETRY_AFTER_SECONDS: Final = 2
_READ_METHODS: Final = frozenset({"GET", "HEAD"})


def is_streaming_request(scope: Scope) -> bool:
    """Return whether a request may wait: a stream or a long poll.

    The proxy routes requests to the streaming process by the same rule.
    """
    if scope["type"] != "http" or scope["method"] not in _READ_METHODS:
        return False
    if _STREAM_PATHS.fullmatch(scope["path"]):
        return True
    query = scope.get("query_string", b"").decode("latin-1")
    return scope["path"].startswith("/api/") and any(name == "wait" for name, _ in _parameters(query))


def _parameters(query: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query, keep_blank_values=True)
    except ValueError:
        return []  # more parameters than `parse_qsl` accepts


class StreamApplication:
    """The ASGI application: serves streams and long polls itself and passes on all other requests."""

    def __init__(self, fallback: Application) -> None:
        self._fallback: Final = fallback
        self._handler: Final = DjangoHandler()
        self._slots: Final = ConnectionSlots()
        self._hub: Hub | None = None
        self._is_closed = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if not is_streaming_request(scope):
            await self._fallback(scope, receive, send)
            return
        if self._is_closed:
            problem = Problem("unavailable", retry_after=RETRY_AFTER_SECONDS)
            await _send_response(
                problem_response(problem, accept_language_of_headers(scope["headers"])), send
            )
            return
        long_poll = LongPollContext(self._slots)
        try:
            with self.hub.track_task():
                await self._serve(self.hub, scope, receive, send, long_poll)
        finally:
            long_poll.close()

    async def close(self) -> None:
        """End all streams and long polls before the server stops."""
        hub, self._hub, self._is_closed = self._hub, None, True
        if hub is not None:
            await hub.close()

    @property
    def hub(self) -> Hub:
        """The hub of the running event loop, created on first use."""
        if self._hub is None or self._hub.loop is not asyncio.get_running_loop():
            self._hub = Hub(self._handler, self._slots)
        return self._hub

    async def _serve(
        self, hub: Hub, scope: Scope, receive: Receive, send: Send, long_poll: LongPollContext
    ) -> None:
        await _drain_body(receive)
        response = await _response_unless_disconnected(hub.get_response(scope, long_poll), receive)
        if response is None:
            return
        stream_request: StreamRequest | None = getattr(response, "stream_request", None)
        if stream_request is None or scope["method"] == "HEAD":
            await _send_response(response, send)
        else:
            del response["Content-Length"]  # Django set it to the length of the empty body
            await _send_start(response, send)
            await hub.stream(stream_request, receive, send)


async def _send_start(response: HttpResponse, send: Send) -> None:
    start = {"status": response.status_code, "headers": headers_of(response)}
    await send({"type": "http.response.start", **start})


async def _send_response(response: HttpResponse, send: Send) -> None:
    await _send_start(response, send)
    await send({"type": "http.response.body", "body": response.content, "more_body": False})


async def _drain_body(receive: Receive) -> None:
    """Read and discard the request body, so that the next message is the disconnect."""
    while (message := await receive()).get("more_body", False) and message["type"] == "http.request":
        pass


async def _response_unless_disconnected(pending_response: Any, receive: Receive) -> HttpResponse | None:  # noqa: ANN401 -- a coroutine that returns it
    """Return the response, or `None` if the client disconnects before it is ready."""
    responding, disconnecting = asyncio.ensure_future(pending_response), asyncio.ensure_future(receive())
    try:
        await asyncio.wait({responding, disconnecting}, return_when=asyncio.FIRST_COMPLETED)
        return responding.result() if responding.done() else None
    finally:
        for task in (responding, disconnecting):
            if not task.done():
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
