"""A run of the test runner within a test, on a machine where no Redis answers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NEEDY = "tests/haggis_service/settings/test_caches.py"


def run_tests(**environment: str) -> subprocess.CompletedProcess[str]:
    nobody_there = {"HAGGIS_TEST_REDIS_URL": "redis://127.0.0.1:1/0", "HAGGIS_REQUIRE": ""}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", NEEDY],
        cwd=ROOT,
        env=os.environ | nobody_there | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_test_without_its_server_is_skipped_and_named_with_a_count_at_the_end() -> None:
    finished = run_tests()
    assert finished.returncode == 0
    assert "skipped for want of a server" in finished.stdout
    assert f"redis: 1 test ({NEEDY} 1)" in finished.stdout
    assert "1 passed, 1 skipped" in finished.stdout.splitlines()[-1]


def test_a_test_without_its_server_fails_where_the_server_is_required() -> None:
    finished = run_tests(HAGGIS_REQUIRE="postgresql,redis")
    assert finished.returncode == 1
    assert "redis is required and not there" in finished.stdout
    assert "skipped" not in finished.stdout


@pytest.mark.parametrize("name", ("abacus", "redis,abacus"))
def test_requiring_what_no_test_can_need_is_an_error(name: str) -> None:
    finished = run_tests(HAGGIS_REQUIRE=name)
    assert finished.returncode != 0
    assert "HAGGIS_REQUIRE names abacus" in finished.stderr
