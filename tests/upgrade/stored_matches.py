"""Insert matches that an earlier release stored into the tables of that release.

`version_1.json` contains rows of the release with migration `0016_push`, the last one with version 1 of all
rule sets: open, running and finished matches of every rule set, without clocks, and the tokens of their three
players by player id.
"""

import json
from pathlib import Path
from typing import Any, Final

from django.db import connection

LAST_MIGRATION: Final = "0016"
DATA: Final[dict[str, Any]] = json.loads((Path(__file__).parent / "version_1.json").read_text("utf-8"))


def insert() -> None:
    """Insert every row into a database that has just been migrated to `LAST_MIGRATION`."""
    with connection.cursor() as cursor:
        for table, rows in DATA["tables"].items():
            columns = ", ".join(f'"{name}"' for name in rows[0])
            if connection.vendor == "postgresql":
                cursor.execute(
                    f"INSERT INTO {table} ({columns}) "  # noqa: S608 -- names of the tests' own data
                    f"SELECT {columns} FROM json_populate_recordset(NULL::{table}, %s::json)",
                    [json.dumps(rows)],
                )
            else:
                marks = ", ".join("%s" for _ in rows[0])
                cursor.executemany(
                    f"INSERT INTO {table} ({columns}) VALUES ({marks})",  # noqa: S608 -- as above
                    [[_for_sqlite(value) for value in row.values()] for row in rows],
                )
        if connection.vendor == "postgresql":
            cursor.execute("SELECT setval(pg_get_serial_sequence('games_player', 'id'), 100)")


def _for_sqlite(value: Any) -> Any:
    if isinstance(value, (dict, list)):
        return json.dumps(value)
    if isinstance(value, str) and value.startswith("\\x"):
        return bytes.fromhex(value.removeprefix("\\x"))
    return value
