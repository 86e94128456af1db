"""Migrations are undone and applied again with many matches stored, which stay the same.

`HAGGIS_STORED_MATCHES` is the number of matches. Migrations are undone as far as releases support it: to the
first migration with all tables of a match.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.support.processes import Postgresql, Web
from tests.support.stored_matches import STORED_MATCHES, store_matches, verify_logs

BACK_TO: Final = "0004"

pytestmark = pytest.mark.timeout(300 + STORED_MATCHES // 2)
on_both = pytest.mark.parametrize(
    "kind", ("sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgresql-programs")))
)


@pytest.fixture
def address(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Provide the URL of a database without tables."""
    if kind == "sqlite":
        yield f"sqlite:///{tmp_path / 'haggis.sqlite3'}"
    else:
        server: Postgresql = request.getfixturevalue("postgresql_server")
        yield server.url


def logs(service: Web) -> str:
    """Return all logs as one text."""
    code = (
        "import hashlib, json; from games.models import Move; "
        "rows = Move.objects.order_by('match_id', 'version').values_list('match_id', 'version', 'entry'); "
        "told = hashlib.sha256(); "
        "[told.update(json.dumps(list(row), sort_keys=True).encode()) for row in rows.iterator()]; "
        "print(len(rows), told.hexdigest())"
    )
    return service.manage("shell", "-v0", "-c", code)


@on_both
def test_matches_survive_reversing_and_reapplying_migrations(address: str, tmp_path: Path) -> None:
    service = Web([], tmp_path, 0, {"DATABASE_URL": address})
    service.manage("migrate", "--verbosity", "0")
    store_matches(service)
    verify_logs(service)
    before = logs(service)
    service.manage("migrate", "games", BACK_TO, "--verbosity", "0")
    service.manage("migrate", "--verbosity", "0")
    verify_logs(service)
    assert logs(service) == before
    print(f"{STORED_MATCHES} matches migrated back and forward again on {address.partition(':')[0]}")  # noqa: T201 -- output of `make chaos`
