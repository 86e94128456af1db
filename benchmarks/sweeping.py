"""CPU time of one worker for expired deadlines, with many matches stored in PostgreSQL.

    .venv/bin/python -m benchmarks.sweeping --stored 1000000 --active 200000 --due 10000

Matches are copied in the database from a real one; most are finished, and some of the active ones are due. It
measures the CPU time of the worker and of the database per deadline, the cost of a sweep that finds nothing,
and that of claiming AI turns. It needs the same as `benchmarks.outbox`.
"""

import argparse
import os
import time
from collections.abc import Callable
from statistics import median
from typing import Final

from benchmarks.outbox import cpu_seconds, temporary_database
from benchmarks.results import Ratio, add_arguments, record_results

TARGET: Final = 5000
EMPTY_SWEEP_TARGET_MS: Final = 2.0
EMPTY_SWEEPS: Final = 200
CLAIMS: Final = 1000
EMPTY_SWEEP_CPU: Final = "empty sweep, ms of CPU, worker and database"

# The tables to copy, each with the column of the match id. Finished copies have no snapshot and no log.
_COPIED_TABLES: Final = {
    "games_match": "id",
    "games_seat": "match_id",
    "games_snapshot": "match_id",
    "games_move": "match_id",
}


def main(arguments: list[str] | None = None) -> None:
    """Fill a database and run the benchmark."""
    parser = argparse.ArgumentParser(prog="benchmarks.sweeping", description=__doc__)
    parser.add_argument("--stored", type=int, default=1_000_000)
    parser.add_argument("--active", type=int, default=200_000)
    parser.add_argument("--due", type=int, default=10_000, help="expired deadlines per run")
    parser.add_argument("--times", type=int, default=1, help="runs, each with other matches")
    add_arguments(parser)
    options = parser.parse_args(arguments)
    with temporary_database("haggis_bench_sweeping"):
        fill(options.stored, options.active)
        for run in range(options.times):
            make_due(run * options.due, options.due)
            _report(options, measure(options.due))
        for name, figure in measure_turn_claims(options.due).items():
            print(f"{name}: {figure:,.1f}", flush=True)


def _report(options: argparse.Namespace, figures: dict[str, float]) -> None:
    """Print and record the figures of one run."""
    for name, figure in figures.items():
        print(f"{name}: {figure:,.3f}", flush=True)
    ratios = [
        Ratio("deadlines a second of the worker's CPU", figures["deadlines a second of CPU"], TARGET),
        Ratio("an empty sweep, ms of CPU", figures[EMPTY_SWEEP_CPU], EMPTY_SWEEP_TARGET_MS, at_most=True),
    ]
    record_results(
        options,
        "sweeping",
        {"stored": options.stored, "active": options.active, "due": options.due, **figures},
        ratios,
    )


def fill(stored: int, active: int) -> None:
    """Copy one match this many times; the deadlines of active copies are days away."""
    from django.db import connection  # noqa: PLC0415 -- needs a configured Django

    match_id = _create_match()
    over = f"CASE WHEN copies.nth > {active} THEN "
    others = {
        "status": f"{over} 'finished' ELSE 'active' END",
        "to_act": f"{over} NULL ELSE original.to_act END",
        "finished_at": f"{over} now() END",
        "result": f"{over} '{{}}'::jsonb END",
        "remind_at": "NULL",
        "deadline": f"{over} NULL ELSE original.deadline END",
    }
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        for table, key in _COPIED_TABLES.items():
            count = active if table in {"games_snapshot", "games_move"} else stored
            _copy_rows(table, key, match_id, count, others if table == "games_match" else {})
            print(f"{table} filled", flush=True)
        cursor.execute("VACUUM ANALYZE")


def make_due(after: int, count: int) -> None:
    """Let the deadlines of this many matches expire."""
    from django.db import connection  # noqa: PLC0415 -- needs a configured Django

    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE games_match SET deadline = now() - interval '1 second' WHERE id BETWEEN %s AND %s",
            [_copy_id(after + 1), _copy_id(after + count)],
        )
        cursor.execute("VACUUM ANALYZE games_match")


def _copy_id(number: int) -> str:
    """Return the id of a copy."""
    return f"m_copy_{number:08}"


def _copy_rows(table: str, key: str, match_id: str, count: int, others: dict[str, str]) -> None:
    """Insert a copy of each row of the match for every number, with a match id from the number."""
    from django.db import connection  # noqa: PLC0415 -- needs a configured Django

    with connection.cursor() as cursor:
        columns = [
            each.name
            for each in connection.introspection.get_table_description(cursor, table)
            if each.name != "written_in" and (each.name != "id" or key == "id")
        ]
        generated = {key: "'m_copy_' || lpad(copies.nth::text, 8, '0')", **others}
        values = ", ".join(generated.get(name, f"original.{name}") for name in columns)
        cursor.execute(
            f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} "  # noqa: S608 -- constant names
            f"FROM {table} AS original, generate_series(1, %s) AS copies(nth) WHERE original.{key} = %s",
            [count, match_id],
        )


def _create_match() -> str:
    """Create a match between two people."""
    from games.identity.models import Player  # noqa: PLC0415 -- needs a configured Django
    from games.lobby.services.creation import create_match  # noqa: PLC0415
    from games.lobby.services.membership import join_match  # noqa: PLC0415

    one, two = (Player.objects.create_user(username=name) for name in ("heather", "thistle"))
    match_id: str = create_match(maker=one, body={"ruleset": "classic"})["id"]
    join_match(match_id=match_id, player=two)
    return match_id


def measure(due: int) -> dict[str, float]:
    """Measure expired deadlines, and a sweep that finds nothing."""
    from games.clock.timeouts import BATCH_SIZE, time_out_due_turns  # noqa: PLC0415 -- needs a configured Django
    from games.sweep.tasks import sweep  # noqa: PLC0415
    from haggis_service.gc_freeze import freeze_loaded_objects  # noqa: PLC0415

    freeze_loaded_objects()  # as workers do
    claimed = _measure_claims()
    time_out_due_turns()  # a warm-up: psycopg prepares statements after some uses
    started, worker, both = time.perf_counter(), time.process_time(), cpu_seconds()
    done = 0
    while count := time_out_due_turns():
        done += count
    seconds, worker_seconds = time.perf_counter() - started, time.process_time() - worker
    total_seconds = cpu_seconds() - both
    assert done == due - BATCH_SIZE, (done, due)  # noqa: S101 -- each exactly once
    task: Callable[[], None] = sweep
    empty = _measure_empty_sweep(task)
    return {
        "deadlines": float(done),
        "claimed only, deadlines a second of CPU": claimed,
        "deadlines a second of CPU": done / worker_seconds,
        "deadlines a second of wall time": done / seconds,
        "worker, µs of CPU a deadline": 1e6 * worker_seconds / done,
        "database, µs of CPU a deadline": 1e6 * (total_seconds - worker_seconds) / done,
        **empty,
        "load average": os.getloadavg()[0],
    }


def _measure_claims() -> float:
    """Return how many deadlines per second a worker finds and locks, without acting on them."""
    from django.db import transaction  # noqa: PLC0415 -- needs a configured Django
    from django.db.models.functions import Now  # noqa: PLC0415

    from games.clock.timeouts import BATCH_SIZE  # noqa: PLC0415
    from games.matches.models.match import Match  # noqa: PLC0415

    due = Match.objects.filter(status="active", deadline__lte=Now()).order_by("deadline")
    found, started = 0, time.process_time()
    for _ in range(20):
        with transaction.atomic():
            locked = due.select_for_update(skip_locked=True, no_key=True)
            found += len(locked.values_list("pk", flat=True)[:BATCH_SIZE])
            transaction.set_rollback(True)
    return found / (time.process_time() - started)


def measure_turn_claims(waiting: int) -> dict[str, float]:
    """Return the µs of CPU of worker and database for claims of AI turns: of none, and while many wait."""
    from django.db import connection  # noqa: PLC0415 -- needs a configured Django

    from games.matches.turn_order import claim_next_turn  # noqa: PLC0415

    empty = _cpu_microseconds(claim_next_turn)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE games_match SET wake_at = now(), turn_due_at = now(), turn_order = right(id, 8)::bigint"
            " WHERE id BETWEEN %s AND %s",
            [_copy_id(1), _copy_id(waiting)],
        )
        cursor.execute("VACUUM ANALYZE games_match")
    full = _cpu_microseconds(claim_next_turn)
    return {
        "claim of an AI turn when none is due, µs of CPU": empty,
        f"claim of an AI turn while {waiting:,} wait, µs of CPU": full,
    }


def _cpu_microseconds(claim: Callable[[], object]) -> float:
    for _ in range(10):
        claim()
    started = cpu_seconds()
    for _ in range(CLAIMS):
        claim()
    return 1e6 * (cpu_seconds() - started) / CLAIMS


def _measure_empty_sweep(sweep: Callable[[], None]) -> dict[str, float]:
    """Return the milliseconds of a sweep that finds nothing: median wall time and mean CPU time."""
    for _ in range(10):
        sweep()
    times, started = [], cpu_seconds()
    for _ in range(EMPTY_SWEEPS):
        before = time.perf_counter()
        sweep()
        times.append(time.perf_counter() - before)
    return {
        "empty sweep, ms": 1e3 * median(times),
        EMPTY_SWEEP_CPU: 1e3 * (cpu_seconds() - started) / EMPTY_SWEEPS,
    }


if __name__ == "__main__":
    main()
