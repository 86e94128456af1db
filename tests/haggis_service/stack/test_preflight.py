"""`make stack` lists everything that is missing before it starts."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from haggis_service.settings.base import ROOT
from haggis_service.stack import preflight
from haggis_service.stack.preflight import missing_requirements
from tests.support.processes import minimal_environment
from tests.support.requirements import free_port


def test_each_missing_requirement_has_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "nginx_path", lambda: None)
    unused_port = free_port()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        database = f"postgres://postgres@127.0.0.1:{unused_port}/haggis"
        problems = list(
            missing_requirements(database=database, broker=f"redis://127.0.0.1:{unused_port}/0", port=port)
        )
    assert [problem.partition(" ")[0] for problem in problems] == ["nginx", "PostgreSQL", "Redis", "Port"]
    assert f"Port {port} cannot be used" in problems[-1]


def test_other_databases_than_postgresql_are_rejected() -> None:
    problems = list(
        missing_requirements(database="sqlite:///here", broker="redis://127.0.0.1:1/0", port=free_port())
    )
    assert any("must begin with postgres://" in problem for problem in problems)


def test_command_prints_the_problems_and_starts_nothing(tmp_path: Path) -> None:
    unused_port = free_port()
    environment = minimal_environment(
        DATABASE_URL=f"postgres://postgres@127.0.0.1:{unused_port}/haggis",
        REDIS_URL=f"redis://127.0.0.1:{unused_port}/0",
    )
    completed = subprocess.run(
        [sys.executable, "-m", "haggis_service.stack", "--port", str(free_port()), "--data", str(tmp_path)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert completed.returncode == 1
    assert "PostgreSQL cannot be used (DATABASE_URL)" in completed.stderr
    assert "Redis cannot be used (REDIS_URL)" in completed.stderr
    assert completed.stdout == ""
