"""The ASGI server (uvicorn) of `manage.py serve` and of the process for streams, `manage.py events`."""

import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import uvicorn
from django.utils.module_loading import import_string

from haggis_service.gc_freeze import freeze_loaded_objects, load_url_patterns

HOST: Final = "127.0.0.1"
APPLICATION: Final = "haggis_service.asgi:application"
GRACEFUL_SHUTDOWN_SECONDS: Final = 1
# uvicorn's default of five seconds is shorter than most turns: a phone would reconnect for each move, and
# sometimes send a move just as its connection is closed.
IDLE_CONNECTION_SECONDS: Final = 75
# After a restart the readers of all streams reconnect at once.
LISTEN_BACKLOG: Final = 4096


class PortInUse(Exception):
    """Raised if another process listens on the port."""


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
        await import_string(APPLICATION.replace(":", ".")).close()
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
        lifespan="off",
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
