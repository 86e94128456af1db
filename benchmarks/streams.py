"""Memory of idle streams in one process, and their latency: with PostgreSQL, Redis and real sockets.

    .venv/bin/python -m benchmarks.streams --streams 4000 --events 300

Needs the environment of the service (`.venv`), a PostgreSQL server in which it may create a database, and
Redis (HAGGIS_BENCH_POSTGRESQL_URL, HAGGIS_BENCH_REDIS_URL). Every match is watched by ten readers with the
tokens of its players. This process writes and reads; the measured process does neither. Latency is the time
from the commit of an entry, when its player gets the response, to the last of its readers.
"""

import argparse
import asyncio
import os
import resource
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

from benchmarks.outbox import temporary_database
from benchmarks.results import Ratio, add_arguments, record_results

REDIS: Final = os.environ.get("HAGGIS_BENCH_REDIS_URL", "redis://127.0.0.1:6379/14")
HOST: Final = "127.0.0.1"
TARGET_KILOBYTES: Final = 100
TARGET_MILLISECONDS: Final = 50
PAIRS: Final = 10
READERS_PER_MATCH: Final = 10
# Streams that are opened first, so that one-off costs of the process do not count.
WARM_UP_STREAMS: Final = 100
OPEN_BATCH: Final = 50
SETTLE_SECONDS: Final = 2
START_TIMEOUT_SECONDS: Final = 60


@dataclass
class Reader:
    """An open stream and the time of the last data."""

    match_id: str
    read_at: float = 0.0
    received: asyncio.Event = field(default_factory=asyncio.Event)

    async def open(self, port: int, token: str) -> None:
        """Open the stream after the start of the match and read the response headers."""
        self.reader, self.writer = await asyncio.open_connection(HOST, port)
        self.writer.write(
            f"GET /api/v1/matches/{self.match_id}/events?after=3 HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {token}\r\n\r\n".encode()
        )
        status = await self.reader.readline()
        if b" 200 " not in status:
            raise RuntimeError(status.decode())
        while await self.reader.readline() != b"\r\n":
            pass
        self.task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        while line := await self.reader.readline():
            if line.startswith(b"data: "):
                self.read_at = time.perf_counter()
                self.received.set()


def main(arguments: list[str] | None = None) -> None:
    """Run the benchmark and print the ratios."""
    parser = argparse.ArgumentParser(prog="benchmarks.streams", description=__doc__)
    parser.add_argument("--streams", type=int, default=4000)
    parser.add_argument("--events", type=int, default=300, help="entries to write and to wait for")
    parser.add_argument("--pause", type=float, default=0.05, help="seconds between two entries")
    parser.add_argument("--idle", type=float, default=20, help="idle seconds")
    add_arguments(parser)
    options = parser.parse_args(arguments)
    _allow_sockets(options.streams)
    os.environ["HAGGIS_NEWS_URL"] = REDIS
    with temporary_database("haggis_bench_streams"):
        figures = asyncio.run(_measure(options))
    for name, value in figures.items():
        print(f"{name}: {value:.4g}")
    ratios = [
        Ratio("kB a stream", figures["kB a stream"], TARGET_KILOBYTES, at_most=True),
        Ratio("p99 ms", figures["p99 ms"], TARGET_MILLISECONDS, at_most=True),
    ]
    record_results(options, "streams", figures, ratios)


def _allow_sockets(streams: int) -> None:
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard_limit, streams + 1000), hard_limit))


async def _measure(options: argparse.Namespace) -> dict[str, float]:
    seats = await asyncio.to_thread(_create_matches, -(-options.streams // READERS_PER_MATCH))
    with socket.create_server((HOST, 0)) as free:
        port: int = free.getsockname()[1]
    command = [sys.executable, "manage.py", "events", "--port", str(port)]
    server = subprocess.Popen(command)  # noqa: S603, ASYNC220 -- a fixed command; nothing else runs yet
    try:
        await _wait_until_listening(port)
        return await _measure_server(server.pid, port, seats[: options.streams], options)
    finally:
        server.terminate()
        server.wait(10)


async def _measure_server(
    pid: int, port: int, seats: list[Any], options: argparse.Namespace
) -> dict[str, float]:
    readers = [Reader(match_id) for match_id, _, _ in seats]
    warm_up = min(WARM_UP_STREAMS, len(readers) // 2)
    await _open(readers[:warm_up], seats, port)
    before = _kilobytes(pid)
    await _open(readers[warm_up:], seats[warm_up:], port)
    await asyncio.sleep(SETTLE_SECONDS)
    figures = {"streams": float(len(readers)), "kB at start": before}
    figures["kB a stream"] = (_kilobytes(pid) - before) / (len(readers) - warm_up)
    cpu = _cpu_seconds(pid)
    await asyncio.sleep(options.idle)
    figures["% CPU while idle"] = 100 * (_cpu_seconds(pid) - cpu) / options.idle
    times = await _measure_wake_ups(readers, seats, options.events, options.pause)
    cuts = quantiles([woken for woken, _ in times], n=100, method="inclusive")
    late = quantiles([late for _, late in times], n=100, method="inclusive")
    figures |= {"events": float(len(times)), "p50 ms": cuts[49], "p90 ms": cuts[89], "p99 ms": cuts[98]}
    figures |= {"p99 ms of scheduling delay": late[98], "load average": os.getloadavg()[0]}
    for reader in readers:
        reader.task.cancel()
    return figures | {"kB at end": _kilobytes(pid)}


async def _open(readers: list[Reader], seats: list[Any], port: int) -> None:
    for start in range(0, len(readers), OPEN_BATCH):
        batch = zip(readers[start : start + OPEN_BATCH], seats[start:], strict=False)
        await asyncio.gather(*(reader.open(port, token) for reader, (_, token, _) in batch))


async def _measure_wake_ups(
    readers: list[Reader], seats: list[Any], events: int, pause: float
) -> list[tuple[float, float]]:
    """Return how long each entry takes to reach all readers of its match, in milliseconds.

    Each comes with the delay of a sleep in this process at that time, which shows the load of the machine.
    """
    watchers: dict[str, list[Reader]] = {}
    for reader in readers:
        watchers.setdefault(reader.match_id, []).append(reader)
    times = []
    bets = [seats[number] for second in (0, 1) for number in range(second, len(seats), READERS_PER_MATCH)]
    for match_id, _, player_id in bets[:events]:
        for reader in watchers[match_id]:
            reader.received.clear()
        committed = await asyncio.to_thread(_bet, match_id, player_id)
        await asyncio.wait_for(asyncio.gather(*(each.received.wait() for each in watchers[match_id])), 30)
        woken = max(0.0, max(each.read_at for each in watchers[match_id]) - committed)
        slept = time.perf_counter()
        await asyncio.sleep(pause)
        times.append((1000 * woken, 1000 * (time.perf_counter() - slept - pause)))
    return times


def _bet(match_id: str, player_id: int) -> float:
    """Bet, and return the time of the commit. Only the first two bets are possible at the start."""
    from games.gateway.documents import ActionBody  # noqa: PLC0415 -- needs a configured Django
    from games.identity.models import Player  # noqa: PLC0415 -- needs a configured Django
    from games.matches.models.match import Match  # noqa: PLC0415 -- needs a configured Django
    from games.play.services import act  # noqa: PLC0415

    version = Match.objects.get(pk=match_id).version
    body: ActionBody = {"version": version, "type": "bet", "amount": 15}
    act(match_id=match_id, player=Player.objects.get(pk=player_id), body=body)
    return time.perf_counter()


def _create_matches(count: int) -> list[tuple[str, str, int]]:
    """Create matches between pairs of players; return the match, a token and its player for each reader."""
    from games.accounts.services.sign_in import create_guest  # noqa: PLC0415 -- needs a configured Django
    from games.lobby.services.creation import create_match  # noqa: PLC0415
    from games.lobby.services.membership import join_match  # noqa: PLC0415

    pairs = [(create_guest(), create_guest()) for _ in range(PAIRS)]
    seats = []
    for number in range(count):
        first, second = pairs[number % len(pairs)]
        match_id = create_match(maker=first.token.user, body={"ruleset": "classic"})["id"]
        join_match(match_id=match_id, player=second.token.user)
        watchers = [(first, second)[each % 2] for each in range(READERS_PER_MATCH)]
        seats += [(match_id, each.secret, each.token.user.pk) for each in watchers]
    return seats


async def _wait_until_listening(port: int) -> None:
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        try:
            _, writer = await asyncio.open_connection(HOST, port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return
    raise RuntimeError("the stream process does not start")


def _kilobytes(pid: int) -> float:
    """Return the resident memory of a process."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return float(line.split()[1])
    raise RuntimeError("the kernel does not report VmRSS")


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
