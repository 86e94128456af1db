"""Ports for test servers, outside the range of ephemeral ports.

A free ephemeral port may become the local end of a connection before the server starts.
"""

import socket
from contextlib import suppress
from random import SystemRandom
from typing import Final

HOST: Final = "127.0.0.1"
_PORTS: Final = range(20_000, 32_000)


def free_port() -> int:
    """Return a random unused port: other tests look for one at the same time."""
    while True:
        port = SystemRandom().choice(_PORTS)
        with suppress(OSError), socket.create_server((HOST, port)):
            return port
