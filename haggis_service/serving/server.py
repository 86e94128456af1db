"""The web server of the embedded mode, and of the process for streams: uvicorn, with streams on its loop."""

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
# People think for longer than the five seconds after which uvicorn hangs up: a phone would connect anew for
# each move, and now and then send one just as its connection is closed.
KEEP_ALIVE_SECONDS: Final = 75
# When a server is started again, the readers of all its streams come back at once.
LISTEN_BACKLOG: Final = 4096


class PortInUse(Exception):
    """Somebody else listens there."""


class Server(uvicorn.Server):
    """A server that says when it is there."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start with all that there is to load, then say so."""
        load_url_patterns()
        freeze_loaded_objects()
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then everything."""
        await import_string(APPLICATION.replace(":", ".")).close()
        await super().shutdown(sockets)


def listen(port: int, host: str = HOST) -> socket.socket:
    """Take the port, so that whoever finds it taken learns so before anything else is started."""
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise PortInUse(f"Port {port} cannot be used: {error.strerror}.") from error
    return listening


def serve(listening: socket.socket, ready: Callable[[], None] = lambda: None) -> None:
    """Serve until the process is interrupted or told to end; then come back without a word."""
    # uvicorn ends in peace and raises the signal again, as this one.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    config = uvicorn.Config(
        APPLICATION,
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        # The service knows by itself how many proxies of ours there are.
        proxy_headers=False,
        backlog=LISTEN_BACKLOG,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=GRACEFUL_SHUTDOWN_SECONDS,
    )
    with suppress(KeyboardInterrupt):
        Server(config, ready).run(sockets=[listening])
