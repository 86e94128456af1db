"""The ASGI server (uvicorn) of `manage.py serve` and of the process for streams, `manage.py events`."""

import asyncio
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import h11
import uvicorn
from django.utils.module_loading import import_string
from uvicorn.protocols.http.h11_impl import H11Protocol

from haggis_service.gc_freeze import freeze_loaded_objects, load_url_patterns

HOST: Final = "127.0.0.1"
APPLICATION: Final = "haggis_service.asgi:application"
STREAMS: Final = "haggis_service.asgi.streams"
GRACEFUL_SHUTDOWN_SECONDS: Final = 1
# uvicorn's default of five seconds is shorter than most turns: a phone would reconnect for each move, and
# sometimes send a move just as its connection is closed.
IDLE_CONNECTION_SECONDS: Final = 75
# How long a client may take to send the head of a request.
HEAD_SECONDS: Final = 10.0
# After a restart the readers of all streams reconnect at once.
LISTEN_BACKLOG: Final = 4096


class PortInUse(Exception):
    """Raised if another process listens on the port."""


class Protocol(H11Protocol):
    """HTTP, with a bound on the time that a client takes to send the head of a request.

    `BodyReceiver` bounds the time for bodies, and `timeout_keep_alive` the time between requests.
    """

    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn declares it
        """Wait for the head of the first request."""
        super().connection_made(transport)
        self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        """Wait for the rest of a head, or stop waiting if it is complete."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]:
            self._wait_for_head()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait_for_head(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None


class Server(uvicorn.Server):
    """A server that calls `ready` once it accepts connections."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Import all views and freeze the garbage collector, then start and report ready."""
        load_url_patterns()
        freeze_loaded_objects()
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the streams, then shut down."""
        await import_string(STREAMS).close()
        await super().shutdown(sockets)


def listen(port: int, host: str = HOST) -> socket.socket:
    """Bind the port; raise `PortInUse` before anything else is started."""
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise PortInUse(f"Port {port} cannot be used: {error.strerror}.") from error
    return listening


def serve(listening: socket.socket, ready: Callable[[], None] = lambda: None) -> None:
    """Serve until SIGINT or SIGTERM, then return."""
    # uvicorn shuts down gracefully and raises the signal again: make SIGTERM a KeyboardInterrupt as well.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    config = uvicorn.Config(
        APPLICATION,
        http=Protocol,
        lifespan="off",
        log_config=None,  # the settings configure all loggers
        log_level="warning",
        access_log=False,
        server_header=False,
        # HAGGIS_TRUSTED_PROXIES decides which X-Forwarded-For entries count.
        proxy_headers=False,
        backlog=LISTEN_BACKLOG,
        timeout_keep_alive=IDLE_CONNECTION_SECONDS,
        timeout_graceful_shutdown=GRACEFUL_SHUTDOWN_SECONDS,
    )
    with suppress(KeyboardInterrupt):
        Server(config, ready).run(sockets=[listening])
