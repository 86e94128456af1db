"""A test run without Redis, as a subprocess."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEST_FILE = "tests/haggis_service/settings/test_caches.py"


def run_tests(**environment: str) -> subprocess.CompletedProcess[str]:
    unreachable = {"HAGGIS_TEST_REDIS_URL": "redis://127.0.0.1:1/0", "HAGGIS_REQUIRE": ""}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", TEST_FILE],
        cwd=ROOT,
        env=os.environ | unreachable | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_test_without_its_server_is_skipped_and_listed() -> None:
    completed = run_tests()
    assert completed.returncode == 0
    assert "skipped: server not available" in completed.stdout
    assert f"redis: 1 test ({TEST_FILE} 1)" in completed.stdout
    assert "1 passed, 1 skipped" in completed.stdout.splitlines()[-1]


def test_test_without_a_required_server_fails() -> None:
    completed = run_tests(HAGGIS_REQUIRE="postgresql,redis")
    assert completed.returncode == 1
    assert "redis is required and not available" in completed.stdout
    assert "skipped" not in completed.stdout


@pytest.mark.parametrize("name", ("abacus", "redis,abacus"))
def test_unknown_required_service_is_an_error(name: str) -> None:
    completed = run_tests(HAGGIS_REQUIRE=name)
    assert completed.returncode != 0
    assert "HAGGIS_REQUIRE names abacus" in completed.stderr
