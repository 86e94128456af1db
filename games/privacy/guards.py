"""Guards of SQLite: no closed or suspended account gets a token, an endpoint, a device or a seat.

PostgreSQL has the same triggers, created by a migration. SQLite cannot alter most columns, so Django copies
the table and drops the original with its triggers, and refuses to rename the copy while triggers of other
tables refer to it. So here the triggers are dropped before migrations and created after them.
"""

from typing import Any, Final

from django.db import connections

_OWNED: Final = (
    ("games_apitoken", "user_id"),
    ("games_webhook", "player_id"),
    ("games_device", "player_id"),
)
# Times of SQLite are text in UTC; the digits make it the end of the current millisecond.
_INACTIVE: Final = (
    "(SELECT NOT is_active "
    "OR coalesce(suspended_until > strftime('%Y-%m-%d %H:%M:%f', 'now') || '999', FALSE) "
    "FROM games_player WHERE id = NEW.{column})"
)
_NEEDED_COLUMNS: Final = 2
_TAKEN: Final = "NEW.player_id IS NOT NULL AND NEW.live AND NEW.state IN ('invited', 'playing')"
_CHANGED: Final = "(OLD.player_id IS NOT NEW.player_id OR OLD.state <> NEW.state)"
_REFUSE: Final = "BEGIN SELECT RAISE(ABORT, 'the account is closed'); END"

TRIGGERS: Final = {
    **{
        f"{table}_of_active_player": (
            f"BEFORE INSERT ON {table} WHEN {_INACTIVE.format(column=column)} {_REFUSE}"
        )
        for table, column in _OWNED
    },
    "games_seat_of_active_player": (
        f"BEFORE INSERT ON games_seat WHEN {_TAKEN} AND {_INACTIVE.format(column='player_id')} {_REFUSE}"
    ),
    "games_seat_given_to_active_player": (
        f"BEFORE UPDATE ON games_seat WHEN {_TAKEN} AND {_CHANGED} "
        f"AND {_INACTIVE.format(column='player_id')} {_REFUSE}"
    ),
    "games_player_closed_without_tokens": """
        AFTER UPDATE ON games_player WHEN NOT NEW.is_active
            AND EXISTS (SELECT 1 FROM games_apitoken WHERE user_id = NEW.id)
        BEGIN SELECT RAISE(ABORT, 'a closed account has a token'); END
    """,
    "games_player_closed_without_seats": """
        AFTER UPDATE ON games_player WHEN NOT NEW.is_active AND NEW.closing = '' AND EXISTS (
            SELECT 1 FROM games_seat AS seat JOIN games_match AS match ON match.id = seat.match_id
            WHERE seat.player_id = NEW.id AND seat.live AND seat.state IN ('invited', 'playing', 'caretaker')
                AND match.status IN ('open', 'active', 'paused')
        )
        BEGIN SELECT RAISE(ABORT, 'a closed account has a seat'); END
    """,
}


def drop_guards(using: str, **_: Any) -> None:  # noqa: ANN401 -- the other arguments of `pre_migrate`
    """Drop the triggers before migrations."""
    if connections[using].vendor == "sqlite":
        with connections[using].cursor() as cursor:
            for name in TRIGGERS:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")


def create_guards(using: str, **_: Any) -> None:  # noqa: ANN401 -- the other arguments of `post_migrate`
    """Create the triggers after migrations, unless these went back to before the columns they need."""
    connection = connections[using]
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pragma_table_info('games_player') "
            "WHERE name IN ('closing', 'suspended_until')"
        )
        if cursor.fetchone()[0] == _NEEDED_COLUMNS:
            for name, definition in TRIGGERS.items():
                cursor.execute(f"CREATE TRIGGER IF NOT EXISTS {name} {definition}")
