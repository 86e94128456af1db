"""The order in which workers take the due turns of AI seats, so that no player keeps others waiting.

Turns are taken by priority: standing orders, then matches with people, then matches between AIs only. Within
a priority the makers of the matches take turns (round robin): a turn that becomes due is placed after the
last waiting turn of the same maker, but not before the first waiting turn of all. So the second turn of a
maker is taken after the first of every other, and the five-hundredth after all of them. Places are computed
when a turn becomes due, with two reads of an index, so that a claim is one read of an index however many
turns wait.

A claim is a lease: it moves `wake_at` forward and counts the attempt. If the worker dies, the turn can be
claimed again when the lease has ended.
"""

# ruff: noqa: S608 -- only literal SQL is concatenated; values are parameters

from datetime import timedelta
from typing import Final, NamedTuple

from django.db import connection

from games.core import compact_json
from games.matches.models.match import TurnPriority
from games.matches.store import fetch

LEASE: Final = timedelta(seconds=10)

# The value of the column `turn_order` in the update of a match by an event. PostgreSQL needs the types of the
# parameters, and SQLite compares a parameter with a number only after a cast.
TURN_ORDER: Final = f"""
    CASE
        WHEN CAST(%(wake_at)s AS timestamptz) IS NULL
            OR CAST(%(turn_priority)s AS smallint) = {TurnPriority.STANDING_ORDER:d} THEN 0
        ELSE (
            SELECT coalesce(max(place), 0) FROM (
                SELECT place FROM (
                    SELECT waiting.turn_order AS place FROM games_match AS waiting
                    WHERE waiting.status = 'active' AND waiting.wake_at IS NOT NULL
                        AND waiting.turn_priority = CAST(%(turn_priority)s AS smallint)
                        AND waiting.attempts = 0
                    ORDER BY waiting.turn_priority, waiting.turn_order LIMIT 1
                ) AS first_of_all
                UNION ALL
                SELECT place FROM (
                    SELECT own.turn_order + 1 AS place FROM games_match AS own
                    WHERE own.status = 'active' AND own.wake_at IS NOT NULL
                        AND own.maker_id = CAST(%(maker_id)s AS bigint)
                        AND own.turn_priority = CAST(%(turn_priority)s AS smallint)
                        AND own.id <> %(match_id)s
                    ORDER BY own.maker_id DESC, own.turn_priority DESC, own.turn_order DESC LIMIT 1
                ) AS last_of_maker
            ) AS places
        )
    END
"""

# Times of SQLite have milliseconds only, and are compared as text: the digits make them the end of the
# millisecond, so that a turn stored in the same one is due.
_NOW: Final = {
    "postgresql": "statement_timestamp()",
    "sqlite": "strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now') || '999'",
}
_LEASE_END: Final = {
    "postgresql": f"statement_timestamp() + interval '{LEASE.seconds} seconds'",
    "sqlite": f"strftime('%%Y-%%m-%%d %%H:%%M:%%f', 'now', '+{LEASE.seconds} seconds')",
}
_SKIP_LOCKED: Final = {"postgresql": "FOR NO KEY UPDATE SKIP LOCKED", "sqlite": ""}
_JSON: Final = {
    "postgresql": "json_build_array(id, version)::text",
    "sqlite": "json_array(id, version)",
}
_CLAIM: Final = {
    vendor: f"""
        UPDATE games_match SET
            wake_at = {_LEASE_END[vendor]},
            attempts = attempts + CASE turn_priority WHEN {TurnPriority.STANDING_ORDER:d} THEN 0 ELSE 1 END
        WHERE id = (
            SELECT due.id FROM games_match AS due
            WHERE due.status = 'active' AND due.wake_at IS NOT NULL AND due.wake_at <= {now}
            ORDER BY due.turn_priority, due.turn_order, due.turn_due_at
            LIMIT 1 {_SKIP_LOCKED[vendor]}
        )
        RETURNING {_JSON[vendor]}
    """
    for vendor, now in _NOW.items()
}


class ClaimedTurn(NamedTuple):
    """A turn that this worker has claimed."""

    match_id: str
    version: int


def claim_next_turn() -> ClaimedTurn | None:
    """Claim the due turn that is the next in order; return `None` if none is due.

    Concurrent workers never claim the same turn: each skips the rows that another has locked.
    """
    claimed = fetch(_CLAIM[connection.vendor], {})
    return ClaimedTurn(*compact_json.load_json(claimed[0])) if claimed else None
