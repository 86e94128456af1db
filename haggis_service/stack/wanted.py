"""What has to be there before a stack can start; what is not, in a sentence that says what to do."""

import socket
from collections.abc import Iterator

import psycopg
import redis

from haggis_service.stack.proxy import program

SECONDS_TO_ANSWER = 3


def missing(*, database: str, broker: str, port: int) -> Iterator[str]:
    """Go through everything, so that all that is missing is said at once."""
    if program() is None:
        yield "There is no nginx on the path, which is the proxy of the stack: apt install nginx-light."
    if (fault := _postgresql_fault(database)) is not None:
        yield f"PostgreSQL cannot be used (DATABASE_URL): {fault}"
    if (fault := _redis_fault(broker)) is not None:
        yield f"Redis cannot be used (REDIS_URL): {fault}"
    if (fault := _port_fault(port)) is not None:
        yield f"Port {port} cannot be used: {fault} Name another one: make stack PORT=8123"


def _postgresql_fault(address: str) -> str | None:
    if not address.startswith(("postgres://", "postgresql://")):
        return "its address begins with postgres://"
    try:
        psycopg.connect(address, connect_timeout=SECONDS_TO_ANSWER).close()
    except psycopg.Error as error:
        return " ".join(str(error).split())
    return None


def _redis_fault(address: str) -> str | None:
    try:
        with redis.Redis.from_url(address, socket_timeout=SECONDS_TO_ANSWER) as server:
            server.ping()
    except (redis.RedisError, OSError, ValueError) as error:
        return " ".join(str(error).split())
    return None


def _port_fault(port: int) -> str | None:
    with socket.socket() as trying:
        trying.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trying.bind(("127.0.0.1", port))
        except OSError as error:
            return f"{error.strerror}."
    return None
