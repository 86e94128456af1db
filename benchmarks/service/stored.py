"""A move and a page of the lobby, with ten thousand and with a million finished matches stored.

    python -m benchmarks.service.stored

PostgreSQL is started for it, with a database and a web server for each size, which take turns. The finished
matches are copies of one, each with its seats, its snapshot and the beginning of its log. What counts is the
CPU time of the web server and of PostgreSQL together.
"""

import argparse
import os
from contextlib import ExitStack
from statistics import median
from typing import Final

import psycopg

from benchmarks.results import Ratio, add_arguments, keep
from benchmarks.service.contenders import DATABASE, haggis_tables
from benchmarks.service.players import Table, play_side_by_side
from benchmarks.service.processes import cpu_seconds
from tests.chaos.servers import Postgresql

DRIVER_CORE: Final = 1
PAGES: Final = {"open": "matches?status=open", "active": "matches?status=active", "all": "matches"}
# Tables of which every finished match has rows, with the column that names it; of the log, its beginning.
TABLES: Final = {
    "games_match": "id",
    "games_seat": "match_id",
    "games_snapshot": "match_id",
    "games_move": "match_id",
}
TABLES_FIRST: Final = {"games_move": " AND version < 4"}
WITHIN: Final = 1.1

Servers = tuple[int, int]


def main(arguments: list[str] | None = None) -> None:
    """Store few in one database and many in another, and measure them in turns."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--stored", type=int, nargs="+", default=[10_000, 1_000_000])
    parser.add_argument("--moves", type=int, default=60, help="measured in each of four matches")
    parser.add_argument("--pages", type=int, default=200, help="measured of each kind")
    parser.add_argument("--repetitions", type=int, default=3)
    add_arguments(parser)
    asked = parser.parse_args(arguments)
    database = Postgresql()
    os.sched_setaffinity(0, {DRIVER_CORE})
    try:
        database.start()
        figures = _measured(database, asked)
    finally:
        database.remove()
    few, many = asked.stored[0], asked.stored[-1]
    ratios = [
        Ratio(
            f"{what}, {many:,} / {few:,}",
            figures[f"{what}, {many}"] / figures[f"{what}, {few}"],
            WITHIN,
            at_most=True,
        )
        for what in ("move", *(f"page of {name}" for name in PAGES))
    ]
    keep(asked, "finished matches stored", figures, ratios)


def _measured(database: Postgresql, asked: argparse.Namespace) -> dict[str, float]:
    """Milliseconds of CPU for each thing, at each size."""
    with ExitStack() as stack:
        services = {}
        for size in asked.stored:
            name = f"{DATABASE}_{size}"
            _, tables = services[size] = stack.enter_context(haggis_tables(database.url, name))
            play_side_by_side(tables, asked.moves)
            _store(f"{database.url.rpartition('/')[0]}/{name}", tables[-1], size)
        return _in_turns(services, database.process_id(), asked) | {"load of the machine": os.getloadavg()[0]}


def _in_turns(
    services: dict[int, tuple[int, list[Table]]], database: int, asked: argparse.Namespace
) -> dict[str, float]:
    """The median of the turns that the sizes take."""
    taken: dict[str, list[float]] = {}
    for turn in range(asked.repetitions + 1):
        for size, (web, tables) in services.items():
            _connect_anew(tables)
            for what, milliseconds in _each_thing((web, database), tables, asked).items():
                if turn > 0:  # the first warms up
                    taken.setdefault(f"{what}, {size}", []).append(milliseconds)
                    print(f"{size:>9,} stored, {what}: {milliseconds:.2f} ms of CPU", flush=True)
    return {name: median(each) for name, each in taken.items()}


def _connect_anew(tables: list[Table]) -> None:
    """The server closes what is silent for so long as the others' turns last."""
    for table in tables:
        for connection in table.connections:
            connection.close()


def _each_thing(servers: Servers, tables: list[Table], asked: argparse.Namespace) -> dict[str, float]:
    """Milliseconds of CPU for each thing, this time."""
    begun = _spent(servers)
    play_side_by_side(tables[:-1], asked.moves)
    taken = {"move": (_spent(servers) - begun) / asked.moves / len(tables[:-1])}
    for name, path in PAGES.items():
        begun = _spent(servers)
        for _ in range(asked.pages):
            tables[0].ask(0, "GET", path)
        taken[f"page of {name}"] = (_spent(servers) - begun) / asked.pages
    return {what: 1000 * each for what, each in taken.items()}


def _spent(servers: Servers) -> float:
    return sum(map(cpu_seconds, servers))


def _store(address: str, table: Table, size: int) -> None:
    """Store copies of the match at this table, which is given up first, until there are so many."""
    original = table.path.rpartition("/")[2]
    table.ask(0, "POST", f"{table.path}/resign", {})
    with psycopg.connect(address, autocommit=True) as connection:
        for name, key in TABLES.items():
            columns = _columns(connection, name, key)
            others = ", ".join(columns)
            text = (
                f"INSERT INTO {name} ({key}, {others}) SELECT 'm_' || lpad(n::text, 26, '0'), {others}"  # noqa: S608 -- our own names
                f" FROM {name}, generate_series(1, %s::int) AS n"
                f" WHERE {key} = %s{TABLES_FIRST.get(name, '')}"
            )
            connection.execute(text.encode(), [size, original])
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")  # now, and not while something is measured


def _columns(connection: "psycopg.Connection[tuple[str, ...]]", table: str, key: str) -> list[str]:
    """The columns of a table that a copy has as the original has them."""
    text = (
        "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND is_identity = 'NO'"
        " AND column_name NOT IN (%s, 'next_match_id')"
    )
    return [f'"{name}"' for (name,) in connection.execute(text, [table, key]).fetchall()]


if __name__ == "__main__":
    main()
