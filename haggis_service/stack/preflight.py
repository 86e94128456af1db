"""Checks that everything `make stack` needs is available, with advice if it is not."""

import socket
from collections.abc import Iterator

import psycopg
import redis

from haggis_service.stack.proxy import nginx_path

CONNECT_TIMEOUT_SECONDS = 3


def missing_requirements(*, database: str, broker: str, port: int) -> Iterator[str]:
    """Yield a message for each missing requirement."""
    if nginx_path() is None:
        yield "nginx is not installed. The stack uses it as its proxy: apt install nginx-light"
    if (problem := _postgresql_problem(database)) is not None:
        yield f"PostgreSQL cannot be used (DATABASE_URL): {problem}"
    if (problem := _redis_problem(broker)) is not None:
        yield f"Redis cannot be used (REDIS_URL): {problem}"
    if (problem := _port_problem(port)) is not None:
        yield f"Port {port} cannot be used: {problem} Choose another one: make stack PORT=8123"


def _postgresql_problem(address: str) -> str | None:
    if not address.startswith(("postgres://", "postgresql://")):
        return "the URL must begin with postgres://"
    try:
        psycopg.connect(address, connect_timeout=CONNECT_TIMEOUT_SECONDS).close()
    except psycopg.Error as error:
        return " ".join(str(error).split())
    return None


def _redis_problem(address: str) -> str | None:
    try:
        with redis.Redis.from_url(address, socket_timeout=CONNECT_TIMEOUT_SECONDS) as server:
            server.ping()
    except (redis.RedisError, OSError, ValueError) as error:
        return " ".join(str(error).split())
    return None


def _port_problem(port: int) -> str | None:
    with socket.socket() as candidate:
        candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            candidate.bind(("127.0.0.1", port))
        except OSError as error:
            return f"{error.strerror}."
    return None
