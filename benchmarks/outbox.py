"""CPU time that the outbox adds to a move on PostgreSQL, with and without webhooks to send.

    .venv/bin/python -m benchmarks.outbox --writes 4000

Needs the environment of the service (`.venv`) and a PostgreSQL server in which it may create a database
(HAGGIS_BENCH_POSTGRESQL_URL, by default the one of the tests). It measures the CPU time of this process and
of its PostgreSQL backend per event that is read, validated and written.
"""

import argparse
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from unittest.mock import patch

import psycopg

from benchmarks.results import Ratio, add_arguments, record_results

SERVER_URL: Final = os.environ.get(
    "HAGGIS_BENCH_POSTGRESQL_URL", "postgres://postgres@127.0.0.1:5432/postgres"
)
BATCH_SIZE: Final = 50
TARGET: Final = 1.1
OTHER_ENDPOINTS: Final = 10_000
ENDPOINTS_PER_PLAYER: Final = 20
WITH_ENDPOINT: Final = "one endpoint of a player"


def main(arguments: list[str] | None = None) -> None:
    """Run the benchmark and print the ratios."""
    parser = argparse.ArgumentParser(prog="benchmarks.outbox", description=__doc__)
    parser.add_argument("--writes", type=int, default=4000, help="events of each kind")
    add_arguments(parser)
    options = parser.parse_args(arguments)
    with temporary_database("haggis_bench_outbox"):
        figures = measure(options.writes)
    for name, (without_outbox, with_outbox) in figures.items():
        print(f"{name}: {with_outbox:.0f} µs CPU, without an outbox {without_outbox:.0f}")
    ratios = [
        Ratio(f"{name} / without", with_outbox / without_outbox, TARGET, at_most=True)
        for name, (without_outbox, with_outbox) in figures.items()
        if name != WITH_ENDPOINT
    ]
    record_results(
        options,
        "outbox",
        {name: with_outbox / without_outbox for name, (without_outbox, with_outbox) in figures.items()},
        ratios,
    )


@contextmanager
def temporary_database(prefix: str) -> Iterator[None]:
    """Create a migrated database for this run and make it the default one."""
    name = f"{prefix}_{os.getpid()}"
    with psycopg.connect(SERVER_URL, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
    os.environ["DATABASE_URL"] = f"{SERVER_URL.rpartition('/')[0]}/{name}"
    os.environ["DJANGO_SETTINGS_MODULE"] = "haggis_service.settings.development"
    os.environ["DEBUG"] = "false"  # as in production: DEBUG records every statement
    try:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["HAGGIS_DATA"] = folder
            _set_up()
            yield
    finally:
        _close()
        with psycopg.connect(SERVER_URL, autocommit=True) as server:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _set_up() -> None:
    import django  # noqa: PLC0415 -- needs the settings above
    from django.core.management import call_command  # noqa: PLC0415

    django.setup()
    call_command("migrate", verbosity=0)


def _close() -> None:
    from django.db import connection  # noqa: PLC0415 -- needs the settings

    connection.close()


def measure(writes: int) -> dict[str, tuple[float, float]]:
    """Return the microseconds of CPU per event without and with the outbox, by who has endpoints."""
    write_event, create_endpoints = _prepare_match()
    figures = {"no endpoints": _interleave(write_event, writes)}
    create_endpoints(OTHER_ENDPOINTS, others=True)
    figures["10,000 endpoints of others"] = _interleave(write_event, writes)
    create_endpoints(1, others=False)
    figures[WITH_ENDPOINT] = _interleave(write_event, writes)
    return figures


def _interleave(write_event: Callable[[bool], None], writes: int) -> tuple[float, float]:
    """Alternate both kinds, so that other load affects both."""
    spent = [0.0, 0.0]
    for number in range(2 * writes // BATCH_SIZE + 2):
        with_outbox = bool(number % 2)
        started = cpu_seconds()
        for _ in range(BATCH_SIZE):
            write_event(with_outbox)
        if number >= 2:  # noqa: PLR2004 -- the first of each is a warm-up
            spent[with_outbox] += cpu_seconds() - started
    return 1e6 * spent[False] / writes, 1e6 * spent[True] / writes


def cpu_seconds() -> float:
    """Return the CPU time of this process and of its PostgreSQL backend."""
    from django.db import connection  # noqa: PLC0415 -- needs the settings

    connection.ensure_connection()
    server = Path(f"/proc/{connection.connection.info.backend_pid}/stat").read_text(encoding="utf-8")
    ticks = sum(map(int, server.rpartition(")")[2].split()[11:13]))
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def _prepare_match() -> tuple[Callable[[bool], None], Callable[..., None]]:
    """Return functions that write an event of a match between two people, and that create endpoints."""
    from django.db import connection  # noqa: PLC0415 -- needs the settings
    from django.utils import timezone  # noqa: PLC0415

    from games.clock.turn_events import current_timing, turn_event  # noqa: PLC0415
    from games.core.secrets import Secret  # noqa: PLC0415
    from games.identity.models import Player  # noqa: PLC0415
    from games.lobby.services.creation import create_match  # noqa: PLC0415
    from games.lobby.services.membership import join_match  # noqa: PLC0415
    from games.matches import commit  # noqa: PLC0415
    from games.matches.models.log import EventType  # noqa: PLC0415
    from games.matches.store import find_match  # noqa: PLC0415
    from games.notifications.models import Webhook  # noqa: PLC0415

    one, two = (Player.objects.create_user(username=name) for name in ("heather", "thistle"))
    match_id = create_match(maker=one, body={"ruleset": "classic"})["id"]
    join_match(match_id=match_id, player=two)
    plain = False, False  # no optional parts, and a turn of a player
    whole = commit.POSTGRESQL[plain]
    without = re.sub(r", deliveries AS \(.*?\n    \)", "", whole, flags=re.DOTALL)

    def write_event(with_outbox: bool) -> None:  # noqa: FBT001 -- selects one of two kinds
        row = find_match(match_id)
        assert row is not None  # noqa: S101 -- was just created
        event = turn_event(row, EventType.EXTENDED, current_timing(row), by="clock", seat=0)
        with patch.dict(commit.POSTGRESQL, {plain: whole if with_outbox else without}):
            assert commit.commit_event(*event[:3], in_time=True)  # noqa: S101 -- has no concurrent writers

    def create_endpoints(count: int, *, others: bool) -> None:
        names = [f"other-{number}" for number in range(count // ENDPOINTS_PER_PLAYER)] if others else []
        owners = Player.objects.bulk_create(Player(username=name) for name in names) or [one]
        Webhook.objects.bulk_create(
            Webhook(
                public_id=f"wh_{others}_{number}",
                player=owners[number % len(owners)],
                url="https://bots.example/",
                secret=Secret("whsec_"),
                created_at=timezone.now(),
            )
            for number in range(count)
        )
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # autovacuum does so within a minute

    return write_event, create_endpoints


if __name__ == "__main__":
    main()
