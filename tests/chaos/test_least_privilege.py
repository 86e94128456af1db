"""Every process works with the service role, passwords for both servers, and secrets in files."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import psycopg
import pytest
from psycopg import errors

from tests.chaos.conftest import StartStack
from tests.chaos.load import Load
from tests.support.processes import ROOT, SECRET_KEY, Postgresql, Redis, minimal_environment
from tests.support.requirements import HOST, needs_stack
from tests.support.stored_matches import check_moves_stored, create_ai_matches, wait_until_finished

MOVES: Final = 40
AI_MATCHES: Final = 3
ROLE: Final = "haggis_service"

pytestmark = [pytest.mark.timeout(600), needs_stack]


def require_passwords(server: Postgresql) -> None:
    """Let the superuser in as before, and every other role with its password only."""
    access = server.data / "pg_hba.conf"
    access.write_text(f"host all postgres {HOST}/32 trust\nhost all all {HOST}/32 scram-sha-256\n")
    with server.connect() as superuser:
        superuser.execute("SELECT pg_reload_conf()")


def create_secrets(folder: Path) -> dict[str, str]:
    """Create the secrets as Docker Compose has them; return each by name."""
    subprocess.run([ROOT / "deploy" / "create_secrets.sh", folder], check=True)
    (folder / "secret_key").write_text(f"{SECRET_KEY}\n")
    return {file.name: file.read_text().strip() for file in folder.iterdir()}


def test_whole_service_works_with_least_privileges(
    start_stack: StartStack, postgresql_server: Postgresql, redis_server: Redis, tmp_path: Path
) -> None:
    secrets = create_secrets(tmp_path / "secrets")
    require_passwords(postgresql_server)
    with redis_server.client() as client:
        client.config_set("requirepass", secrets["redis_password"])
    completed = subprocess.run(
        [
            *(sys.executable, "manage.py", "migrate", "--verbosity=0", "--service-role", ROLE),
            *("--service-role-password-file", str(tmp_path / "secrets" / "database_password")),
        ],
        cwd=ROOT,
        env=minimal_environment(DATABASE_URL=postgresql_server.url),
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert completed.returncode == 0, completed.stderr
    service_url = f"postgres://{ROLE}@{HOST}:{postgresql_server.port}/postgres"
    stack = start_stack(
        None,
        HAGGIS_SECRET_KEY="",
        HAGGIS_SECRET_KEY_FILE=str(tmp_path / "secrets" / "secret_key"),
        DATABASE_URL=service_url,
        DATABASE_PASSWORD_FILE=str(tmp_path / "secrets" / "database_password"),
        REDIS_PASSWORD_FILE=str(tmp_path / "secrets" / "redis_password"),
        HAGGIS_REDIS_WITHOUT_PASSWORD="false",
    )
    with Load(stack.port) as load:
        matches = create_ai_matches(stack, AI_MATCHES)
        wait_until_finished(stack, matches, 120)
        load.wait_for_moves(MOVES)
    found = check_moves_stored(stack, load.moves)
    print(f"least privileges: {AI_MATCHES} AI matches and {found} moves of clients")  # noqa: T201 -- output of `make chaos`
    assert not load.failures
    assert "permission denied" not in stack.logs("")
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(service_url)
    with (
        psycopg.connect(service_url, password=secrets["database_password"]) as connection,
        pytest.raises(errors.InsufficientPrivilege),
    ):
        connection.execute("UPDATE games_move SET seat = 1 - seat")
