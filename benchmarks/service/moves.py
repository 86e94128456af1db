"""Accepted moves per second of server CPU, beside boardgame.io: the whole service on PostgreSQL.

    python -m benchmarks.service.moves --database postgres://postgres@127.0.0.1:5432/postgres

Both servers are one process pinned to the same core, play a climbing game of singles for two with hands that
only their owners see, keep each move in PostgreSQL, and are driven by clients on another core. They take
turns within one run. What counts is the CPU time of the server, not that of PostgreSQL and of the clients.
"""

import argparse
import os
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Final

import psycopg

from benchmarks.results import Ratio, add_arguments, keep
from benchmarks.service.players import Table, play_side_by_side
from benchmarks.service.processes import HOST, cpu_seconds, free_port, running

ROOT: Final = Path(__file__).parents[2]
RIVAL: Final = Path(__file__).with_name("boardgame_io")
SERVER_CORE, DRIVER_CORE = 0, 1
SIDE_BY_SIDE: Final = 4
SHORT: Final = 30
AFTER: Final = (0, 300, 1500)

DATABASE: Final = f"haggis_bench_{os.getpid()}"

Play = Callable[[int], None]


def main(arguments: list[str] | None = None) -> None:
    """Measure both, as often as asked."""
    asked = _read(arguments)
    os.sched_setaffinity(0, {DRIVER_CORE})
    found: dict[str, list[float]] = {}
    for _ in range(asked.repetitions):
        for name, contender in (("Haggis", haggis), ("boardgame.io", boardgame_io)):
            for after, speed in _speeds(contender, asked).items():
                found.setdefault(f"{name}, after {after}", []).append(speed)
                print(f"{name}, after {after}: {speed:,.0f} moves per second of CPU", flush=True)
    figures = {name: median(speeds) for name, speeds in found.items()}
    keep(asked, "service moves", figures, _ratios(figures, asked.after))


def _ratios(figures: dict[str, float], after: list[int]) -> list[Ratio]:
    first = after[0]
    ours = figures[f"Haggis, after {first}"]
    ratios = [Ratio("Haggis / boardgame.io", ours / figures[f"boardgame.io, after {first}"], 5)]
    return ratios + [
        Ratio(f"Haggis after {each} / after {first}", figures[f"Haggis, after {each}"] / ours, 0.9)
        for each in after[1:]
    ]


def _speeds(contender: Callable[..., object], asked: argparse.Namespace) -> dict[int, float]:
    """Moves per CPU second after so many moves in each match."""
    speeds, made = {}, 0
    with contender(asked.database) as (server, play):  # type: ignore[attr-defined]  # context managers
        for after in asked.after:
            if after > made:
                play(after - made)
            begun = cpu_seconds(server)
            play(asked.moves)
            speeds[after] = asked.moves * SIDE_BY_SIDE / (cpu_seconds(server) - begun)
            made = after + asked.moves
    return speeds


@contextmanager
def haggis(database: str) -> Iterator[tuple[int, Play]]:
    """Our own web server as in production, with four matches on it."""
    with haggis_tables(database) as (server, tables):
        yield server, lambda moves: play_side_by_side(tables, moves)


@contextmanager
def haggis_tables(database: str, name: str = DATABASE) -> Iterator[tuple[int, list[Table]]]:
    """The same, with the tables themselves, in a database of this name."""
    port = free_port()
    with _fresh_database(database, name) as address:
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "haggis_service.settings.production",
            "HAGGIS_SECRET_KEY": secrets.token_urlsafe(50),
            "HAGGIS_ALLOWED_HOSTS": HOST,
            "HAGGIS_BEHIND_TLS_PROXY": "1",
            "HAGGIS_LOG_LEVEL": "WARNING",
            "DATABASE_URL": address,
            "REDIS_URL": "redis://127.0.0.1:6379/13",
            "HAGGIS_LIMIT_PLAYER": "1000000/60",
            "HAGGIS_LIMIT_ADDRESS": "1000000/60",
            "HAGGIS_LIMIT_ACCOUNTS": "1000000/60",
        }
        manage = [sys.executable, "manage.py"]
        for command in (["migrate", "--no-input", "-v", "0"], ["collectstatic", "--no-input", "-v", "0"]):
            subprocess.run([*manage, *command], env=environment, cwd=ROOT, check=True)  # noqa: S603 -- ours
        command = [
            *(str(Path(sys.executable).with_name("granian")), "--interface", "wsgi", "--host", HOST),
            *("--port", str(port), "--workers", "1", "--blocking-threads", "4", "--no-ws"),
            *("--log-level", "warning", "haggis_service.wsgi:application"),
        ]
        url = f"http://{HOST}:{port}/healthz"
        with running(command, core=SERVER_CORE, url=url, env=environment, cwd=ROOT) as server:
            yield server, [Table(port) for _ in range(SIDE_BY_SIDE)]


@contextmanager
def boardgame_io(database: str) -> Iterator[tuple[int, Play]]:
    """The rival's own server, with four matches on it."""
    port = free_port()
    with ExitStack() as stack:
        address = stack.enter_context(_fresh_database(database))
        command = ["node", "server.cjs", str(port), address]
        url = f"http://{HOST}:{port}/games"
        server = stack.enter_context(running(command, core=SERVER_CORE, url=url, cwd=RIVAL))
        driver = stack.enter_context(
            subprocess.Popen(  # noqa: S603 -- ours
                ["node", "driver.cjs", str(port), str(SIDE_BY_SIDE)],  # noqa: S607 -- from the path
                cwd=RIVAL,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
        _told(driver, "ready")
        yield server, lambda moves: _have_played(driver, moves)
        if driver.stdin is not None:
            driver.stdin.close()


def _have_played(driver: "subprocess.Popen[str]", moves: int) -> None:
    if driver.stdin is None:
        raise RuntimeError("The driver of boardgame.io takes no orders.")
    driver.stdin.write(f"{moves}\n")
    driver.stdin.flush()
    _told(driver, "done")


def _told(driver: "subprocess.Popen[str]", word: str) -> None:
    said = driver.stdout.readline().strip() if driver.stdout is not None else ""
    if said != word:
        raise RuntimeError(f"The driver of boardgame.io said {said!r}.")


@contextmanager
def _fresh_database(server: str, name: str = DATABASE) -> Iterator[str]:
    """A database for one run, gone afterwards."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        try:
            yield f"{server.rpartition('/')[0]}/{name}"
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def _read(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--database", default="postgres://postgres@127.0.0.1:5432/postgres")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--moves", type=int, default=SHORT, help="measured in each of four matches")
    parser.add_argument("--after", type=int, nargs="+", default=list(AFTER), help="so many moves")
    add_arguments(parser)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
