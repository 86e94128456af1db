"""A stack says what it misses, all of it at once."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from haggis_service.settings.base import ROOT
from haggis_service.stack import preflight
from haggis_service.stack.preflight import missing_requirements
from tests.chaos.servers import usual_environment
from tests.ports import free_port


def test_each_thing_that_is_missing_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "nginx_path", lambda: None)
    unused_port = free_port()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        database = f"postgres://postgres@127.0.0.1:{unused_port}/haggis"
        problems = list(
            missing_requirements(database=database, broker=f"redis://127.0.0.1:{unused_port}/0", port=port)
        )
    assert [problem.partition(" ")[0] for problem in problems] == ["There", "PostgreSQL", "Redis", "Port"]
    assert f"Port {port} cannot be used" in problems[-1]


def test_another_database_than_postgresql_will_not_do() -> None:
    problems = list(
        missing_requirements(database="sqlite:///here", broker="redis://127.0.0.1:1/0", port=free_port())
    )
    assert any("begins with postgres://" in problem for problem in problems)


def test_the_command_says_so_and_starts_nothing(tmp_path: Path) -> None:
    unused_port = free_port()
    environment = usual_environment(
        DATABASE_URL=f"postgres://postgres@127.0.0.1:{unused_port}/haggis",
        REDIS_URL=f"redis://127.0.0.1:{unused_port}/0",
    )
    done = subprocess.run(
        [sys.executable, "-m", "haggis_service.stack", "--port", str(free_port()), "--data", str(tmp_path)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 1
    assert "PostgreSQL cannot be used (DATABASE_URL)" in done.stderr
    assert "Redis cannot be used (REDIS_URL)" in done.stderr
    assert done.stdout == ""
