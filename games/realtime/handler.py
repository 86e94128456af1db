"""Run Django views and database queries in a small thread pool."""

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from typing import Any, Final, TypeVar

from django.core import signals
from django.core.handlers.asgi import ASGIRequest, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.db import close_old_connections, connections
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from games.api.long_polling import LONG_POLL_KEY, LongPollContext
from games.api.problems import accept_language_of_headers, problem_response
from games.core.errors import Problem
from games.core.languages import message

Scope = Any  # the ASGI connection scope
Headers = list[tuple[bytes, bytes]]

log = logging.getLogger(__name__)


class DjangoHandler(BaseHandler):
    """Call Django's views and middleware synchronously."""

    def __init__(self) -> None:
        super().__init__()
        self.load_middleware()

    def handle(self, scope: Scope, long_poll: LongPollContext) -> HttpResponse:
        """Return the response to a request without a body; `long_poll` lets its view wait."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=type(self), scope=scope)
        try:
            request = ASGIRequest(scope, BytesIO())
        except UnicodeDecodeError:
            detail = message("The URL is not valid UTF-8.")
            return problem_response(
                Problem("invalid_parameter", detail), accept_language_of_headers(scope["headers"])
            )
        request.META[LONG_POLL_KEY] = long_poll
        response = self.get_response(request)
        # Sends `request_finished`; the rendered content stays readable.
        response.close()
        return _require_plain_response(response)


def _require_plain_response(response: HttpResponseBase) -> HttpResponse:
    if not isinstance(response, HttpResponse):
        raise TypeError("Streams and long polls need a plain HttpResponse, not a streaming one.")
    return response


def headers_of(response: HttpResponse) -> Headers:
    """Return the headers of a response in ASGI form."""
    headers = [(name.lower().encode("ascii"), value.encode("latin-1")) for name, value in response.items()]
    cookies = [(b"set-cookie", each.output(header="").strip().encode()) for each in response.cookies.values()]
    return headers + cookies


Result = TypeVar("Result")

CLOSE_TIMEOUT_SECONDS: Final = 2.0


class DatabaseThreadPool:
    """A thread pool whose threads use database connections."""

    def __init__(self, threads: int) -> None:
        self._threads: Final = threads
        self._executor: Final = ThreadPoolExecutor(threads, thread_name_prefix="streams")

    async def run(self, function: Callable[[], Result]) -> Result:
        """Run a function in a thread; discard connections that have failed or expired."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, _with_connection, function)

    def close(self) -> None:
        """Close the database connection of every thread, then shut down."""
        barrier = threading.Barrier(self._threads, timeout=CLOSE_TIMEOUT_SECONDS)
        for _ in range(self._threads):
            self._executor.submit(_close_connections, barrier)
        self._executor.shutdown(wait=True)


def _with_connection(function: Callable[[], Result]) -> Result:
    close_old_connections()
    try:
        return function()
    finally:
        close_old_connections()


def _close_connections(barrier: threading.Barrier) -> None:
    """Close the connections of this thread, once every thread has started one of these calls."""
    with suppress(threading.BrokenBarrierError):
        barrier.wait()
    connections.close_all()
