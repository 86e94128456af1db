"""CPU time of the server for a download of published records, from PostgreSQL.

    .venv/bin/python -m benchmarks.records --records 100000

Some matches between AIs are played and published; their records are copied in the database under other
numbers. Then every record is read through the whole web application, page by page, compressed and plain, and
written into the files of a month. The CPU time is that of the web process with the test client, and of its
PostgreSQL backend. It needs the same as `benchmarks.outbox`.
"""

import argparse
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, Final

from benchmarks.outbox import cpu_seconds, temporary_database
from benchmarks.results import Ratio, add_arguments, record_results

TARGET_SECONDS: Final = 300
TARGET_RECORDS: Final = 100_000
COMPRESSED: Final = "GET /records with gzip"

_COPY: Final = """
    INSERT INTO games_publishedrecord
        (number, match_id, ruleset, players, kind, finished_at, published_at, size, line)
    SELECT copies.number, 'm_copy' || copies.number, ruleset, players, kind, finished_at, published_at,
        size, line
    FROM generate_series(%(first)s::bigint, %(last)s::bigint) AS copies (number)
    JOIN games_publishedrecord AS original ON original.number = 1 + copies.number %% %(originals)s
"""
_FOREIGN_KEY: Final = """
    SELECT conname FROM pg_constraint WHERE conrelid = 'games_publishedrecord'::regclass AND contype = 'f'
"""


def main(arguments: list[str] | None = None) -> None:
    """Fill a database and run the benchmark."""
    parser = argparse.ArgumentParser(prog="benchmarks.records", description=__doc__)
    parser.add_argument("--records", type=int, default=TARGET_RECORDS)
    parser.add_argument("--matches", type=int, default=30, help="different matches that are played")
    add_arguments(parser)
    options = parser.parse_args(arguments)
    with temporary_database("haggis_bench_records"):
        mean_size = fill(options.records, options.matches)
        figures = {"bytes of a line": mean_size, **measure(options.records)}
    for name, figure in figures.items():
        print(f"{name}: {figure:,.1f}", flush=True)
    ratio = Ratio("CPU seconds for 100,000 records", figures[COMPRESSED], TARGET_SECONDS, at_most=True)
    record_results(options, "records", {"records": options.records, **figures}, [ratio])


def fill(records: int, matches: int) -> float:
    """Play and publish matches, and copy their records; return the mean size of a line."""
    from django.db import connection  # noqa: PLC0415 -- needs a configured Django
    from django.db.models import Avg  # noqa: PLC0415

    from games.records.models import PublishedRecord  # noqa: PLC0415
    from games.records.publication import publish_finished_matches  # noqa: PLC0415

    for number in range(matches):
        play(2 + number % 2)
    while publish_finished_matches():
        pass
    with connection.cursor() as cursor:
        cursor.execute(_FOREIGN_KEY)
        for (name,) in cursor.fetchall():  # the copies have no match
            cursor.execute(f'ALTER TABLE games_publishedrecord DROP CONSTRAINT "{name}"')
        cursor.execute(_COPY, {"first": matches + 1, "last": records, "originals": matches})
        cursor.execute("ANALYZE games_publishedrecord")
    return float(PublishedRecord.objects.aggregate(mean=Avg("size"))["mean"] or 0)


def play(players: int) -> None:
    """Play a match between AIs to the end."""
    from games.ai.services import take_turn  # noqa: PLC0415 -- needs a configured Django
    from games.identity.models import Player  # noqa: PLC0415
    from games.lobby.services.creation import MatchBody, create_match  # noqa: PLC0415
    from games.matches.store import find_match  # noqa: PLC0415

    maker, _ = Player.objects.get_or_create(username="heather")
    body: MatchBody = {"ruleset": "classic", "seats": [{"kind": "ai", "level": "random"}] * players}
    match_id = create_match(maker=maker, body=body)["id"]
    while (row := find_match(match_id)) is not None and row.status == "active":
        take_turn(match_id=match_id, version=row.version)


def measure(records: int) -> dict[str, float]:
    """Return the CPU seconds of each way to read records, scaled to 100,000."""
    from django.conf import settings  # noqa: PLC0415 -- needs a configured Django
    from django.utils import timezone  # noqa: PLC0415

    from games.records.exports import plan_exports, write_next_export  # noqa: PLC0415
    from games.records.models import PublishedRecord  # noqa: PLC0415

    scale = TARGET_RECORDS / records
    figures = {
        COMPRESSED: scale * _seconds_of(lambda: _download(records, {"Accept-Encoding": "gzip"})),
        "GET /records without compression": scale * _seconds_of(lambda: _download(records, {})),
    }
    month = timezone.now().replace(day=1) - timedelta(days=1)
    PublishedRecord.objects.update(finished_at=month)
    settings.HAGGIS_EXPORTS_DIR = settings.VAR / "exports"
    plan_exports(now=timezone.now())

    def write_files() -> None:
        while write_next_export():
            pass

    figures["files of a month, both formats"] = scale * _seconds_of(write_files)
    return figures


def _seconds_of(work: Callable[[], object]) -> float:
    started = cpu_seconds()
    work()
    return cpu_seconds() - started


def _download(records: int, headers: dict[str, str]) -> None:
    """Read every page; the compression middleware of development leaves the responses as they are."""
    read = sum(1 for _ in _pages(headers))
    if not read:
        raise SystemExit(f"none of {records} records were read")


def _pages(headers: dict[str, str]) -> Iterator[Any]:
    from django.test import Client  # noqa: PLC0415 -- needs a configured Django

    client, address = Client(headers={**headers, "Host": "localhost"}), "/api/v1/records"
    while address:
        response = client.get(address)
        if response.status_code != 200:  # noqa: PLR2004 -- OK
            raise SystemExit(response.content.decode())
        yield response.content
        address = response.headers.get("Link", "").partition(">")[0].lstrip("<")


if __name__ == "__main__":
    main()
