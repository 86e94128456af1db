"""Run Django views and queries in a few threads."""

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

from games.api.long_polling import LongPollContext
from games.api.problems import problem_response
from games.core.errors import Problem

Scope = Any  # what ASGI says of a request
Headers = list[tuple[bytes, bytes]]

log = logging.getLogger(__name__)


class DjangoHandler(BaseHandler):
    """Django's views with all that stands around them."""

    def __init__(self) -> None:
        super().__init__()
        self.load_middleware()

    def answer(self, scope: Scope, door: LongPollContext) -> HttpResponse:
        """The answer to a request without a body. `door` is what it may wait by."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=type(self), scope=scope)
        try:
            request = ASGIRequest(scope, BytesIO())
        except UnicodeDecodeError:
            return problem_response(Problem("invalid_parameter", "The address is not UTF-8."))
        request.door = door  # type: ignore[attr-defined]  # read by games.api.long_polling
        response = self.get_response(request)
        # Ends the request as far as Django goes; what was rendered stays.
        response.close()
        return _require_plain_response(response)


def _require_plain_response(response: HttpResponseBase) -> HttpResponse:
    if not isinstance(response, HttpResponse):
        raise TypeError("Nothing that is asked this way answers in pieces.")
    return response


def headers_of(response: HttpResponse) -> Headers:
    """The headers as ASGI wants them."""
    headers = [(name.lower().encode("ascii"), value.encode("latin-1")) for name, value in response.items()]
    cookies = [(b"set-cookie", each.output(header="").strip().encode()) for each in response.cookies.values()]
    return headers + cookies


Result = TypeVar("Result")

SECONDS_TO_CLOSE: Final = 2.0


class DatabaseThreadPool:
    """So many threads."""

    def __init__(self, threads: int) -> None:
        self._threads: Final = threads
        self._executor: Final = ThreadPoolExecutor(threads, thread_name_prefix="streams")

    async def run(self, act: Callable[[], Result]) -> Result:
        """Do it in a thread; a connection that has failed or is too old is not used again."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, _with_connection, act)

    def close(self) -> None:
        """Let no thread keep a connection, and end."""
        together = threading.Barrier(self._threads, timeout=SECONDS_TO_CLOSE)
        for _ in range(self._threads):
            self._executor.submit(_close_connections, together)
        self._executor.shutdown(wait=True)


def _with_connection(act: Callable[[], Result]) -> Result:
    close_old_connections()
    try:
        return act()
    finally:
        close_old_connections()


def _close_connections(together: threading.Barrier) -> None:
    """In every thread once: none begins before all have."""
    with suppress(threading.BrokenBarrierError):
        together.wait()
    connections.close_all()
