"""CPU time of a move and of a lobby page with ten thousand and a million finished matches in the database.

    python -m benchmarks.service.stored

It starts PostgreSQL, with a database and a web server for each size, which alternate. The finished matches
are copies of one, with its seats, its snapshot and the beginning of its log. It measures the CPU time of the
web server and of PostgreSQL together.
"""

import argparse
import os
from contextlib import ExitStack
from statistics import median
from typing import Final

import psycopg

from benchmarks.results import Ratio, add_arguments, record_results
from benchmarks.service.contenders import DATABASE, haggis_tables
from benchmarks.service.players import Table, play_concurrently
from benchmarks.service.processes import cpu_seconds
from tests.support.processes import Postgresql

DRIVER_CORE: Final = 1
PAGES: Final = {"open": "matches?status=open", "active": "matches?status=active", "all": "matches"}
# The tables with rows of finished matches, each with the column of the match id.
COPIED_TABLES: Final = {
    "games_match": "id",
    "games_seat": "match_id",
    "games_snapshot": "match_id",
    "games_move": "match_id",
}
COPIED_ROWS_FILTER: Final = {"games_move": " AND version < 4"}
MAX_RATIO: Final = 1.1

Servers = tuple[int, int]


def main(arguments: list[str] | None = None) -> None:
    """Fill one database with few and another with many matches, and measure them in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--stored", type=int, nargs="+", default=[10_000, 1_000_000])
    parser.add_argument("--moves", type=int, default=60, help="measured moves in each of four matches")
    parser.add_argument("--pages", type=int, default=200, help="measured pages of each kind")
    parser.add_argument("--repetitions", type=int, default=3)
    add_arguments(parser)
    options = parser.parse_args(arguments)
    database = Postgresql()
    os.sched_setaffinity(0, {DRIVER_CORE})
    try:
        database.start()
        figures = _measure(database, options)
    finally:
        database.remove()
    few, many = options.stored[0], options.stored[-1]
    ratios = [
        Ratio(
            f"{name_of_figure}, {many:,} / {few:,}",
            figures[f"{name_of_figure}, {many}"] / figures[f"{name_of_figure}, {few}"],
            MAX_RATIO,
            at_most=True,
        )
        for name_of_figure in ("move", *(f"page of {name}" for name in PAGES))
    ]
    record_results(options, "finished matches stored", figures, ratios)


def _measure(database: Postgresql, options: argparse.Namespace) -> dict[str, float]:
    """Return the milliseconds of CPU per operation and size."""
    with ExitStack() as stack:
        services = {}
        for size in options.stored:
            name = f"{DATABASE}_{size}"
            _, tables = services[size] = stack.enter_context(haggis_tables(database.url, name))
            play_concurrently(tables, options.moves)
            _store_copies(f"{database.url.rpartition('/')[0]}/{name}", tables[-1], size)
        return _interleave(services, database.process_id(), options) | {"load average": os.getloadavg()[0]}


def _interleave(
    services: dict[int, tuple[int, list[Table]]], database: int, options: argparse.Namespace
) -> dict[str, float]:
    """Alternate the sizes and return the medians."""
    milliseconds_by_name: dict[str, list[float]] = {}
    for turn in range(options.repetitions + 1):
        for size, (web, tables) in services.items():
            _close_connections(tables)
            for name_of_figure, milliseconds in _measure_once((web, database), tables, options).items():
                if turn > 0:  # the first turn is a warm-up
                    milliseconds_by_name.setdefault(f"{name_of_figure}, {size}", []).append(milliseconds)
                    print(f"{size:>9,} stored, {name_of_figure}: {milliseconds:.2f} ms of CPU", flush=True)
    return {name: median(each) for name, each in milliseconds_by_name.items()}


def _close_connections(tables: list[Table]) -> None:
    """Close the connections: the server drops those that are idle while others are measured."""
    for table in tables:
        for connection in table.connections:
            connection.close()


def _measure_once(servers: Servers, tables: list[Table], options: argparse.Namespace) -> dict[str, float]:
    """Return the milliseconds of CPU per operation."""
    started = _cpu_seconds(servers)
    play_concurrently(tables[:-1], options.moves)
    milliseconds_by_name = {"move": (_cpu_seconds(servers) - started) / options.moves / len(tables[:-1])}
    for name, path in PAGES.items():
        started = _cpu_seconds(servers)
        for _ in range(options.pages):
            tables[0].request_json(0, "GET", path)
        milliseconds_by_name[f"page of {name}"] = (_cpu_seconds(servers) - started) / options.pages
    return {name_of_figure: 1000 * each for name_of_figure, each in milliseconds_by_name.items()}


def _cpu_seconds(servers: Servers) -> float:
    return sum(map(cpu_seconds, servers))


def _store_copies(address: str, table: Table, size: int) -> None:
    """Resign the match at this table and store this many copies of it."""
    original = table.path.rpartition("/")[2]
    table.request_json(0, "POST", f"{table.path}/resign", {})
    with psycopg.connect(address, autocommit=True) as connection:
        for name, key in COPIED_TABLES.items():
            columns = _columns(connection, name, key)
            other_columns = ", ".join(columns)
            text = (
                f"INSERT INTO {name} ({key}, {other_columns})"  # noqa: S608 -- constant names
                f" SELECT 'm_' || lpad(n::text, 26, '0'), {other_columns}"
                f" FROM {name}, generate_series(1, %s::int) AS n"
                f" WHERE {key} = %s{COPIED_ROWS_FILTER.get(name, '')}"
            )
            connection.execute(text.encode(), [size, original])
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")  # not during a measurement


def _columns(connection: "psycopg.Connection[tuple[str, ...]]", table: str, key: str) -> list[str]:
    """Return the columns that a copy takes from the original."""
    text = (
        "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND is_identity = 'NO'"
        " AND column_name NOT IN (%s, 'next_match_id')"
    )
    return [f'"{name}"' for (name,) in connection.execute(text, [table, key]).fetchall()]


if __name__ == "__main__":
    main()
