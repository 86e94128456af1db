"""The web server of the embedded mode: uvicorn, with Django's views in threads of their own."""

import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import uvicorn

HOST: Final = "127.0.0.1"
SECONDS_FOR_REQUESTS_TO_END: Final = 1


class PortTaken(Exception):
    """Somebody else listens there."""


class Server(uvicorn.Server):
    """A server that says when it is there."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        self._ready()


def listen(port: int) -> socket.socket:
    """Take the port, so that whoever finds it taken learns so before anything else is started."""
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        raise PortTaken(f"Port {port} cannot be used: {error.strerror}.") from error
    return listening


def serve(listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until the process is interrupted or told to end; then come back without a word."""
    # uvicorn ends in peace and raises the signal again, as this one.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    config = uvicorn.Config(
        "haggis_service.asgi:application",
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SECONDS_FOR_REQUESTS_TO_END,
    )
    with suppress(KeyboardInterrupt):
        Server(config, ready).run(sockets=[listening])
