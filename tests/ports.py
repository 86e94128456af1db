"""Ports for servers of tests: below those that the system gives to connections.

A port of those may be free when it is looked for, and be somebody's end of a connection when the server that
it was for is started a moment later.
"""

import socket
from contextlib import suppress
from random import SystemRandom
from typing import Final

HOST: Final = "127.0.0.1"
_PORTS: Final = range(20_000, 32_000)


def free_port() -> int:
    """A port that nobody listens at, drawn by chance: others look for one at the same time."""
    while True:
        port = SystemRandom().choice(_PORTS)
        with suppress(OSError), socket.create_server((HOST, port)):
            return port
