"""The service as its user starts it: in a process of its own, with nothing set but what the test sets."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from haggis_service.settings.base import ROOT
from tests.haggis_service.settings.test_safety import SAFE


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_checkout_starts_with_nothing_set() -> None:
    checked = run("manage.py", "check")
    assert checked.returncode == 0, checked.stderr


def test_production_refuses_to_start_with_nothing_set_and_says_what_is_missing() -> None:
    refused = run("manage.py", "check", DJANGO_SETTINGS_MODULE="haggis_service.settings.production")
    assert refused.returncode != 0
    for name in SAFE:
        assert f"{name} is not set" in refused.stderr


def test_production_starts_with_safe_settings_and_django_finds_nothing_to_say_against_it() -> None:
    settings = "--settings=haggis_service.settings.production"
    checked = run("manage.py", "check", "--deploy", "--fail-level", "WARNING", settings, **SAFE)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("door", ("wsgi", "asgi"))
def test_a_web_server_is_production_unless_it_is_told_otherwise(door: str) -> None:
    command = f"import haggis_service.{door}"
    assert run("-c", command, **SAFE).returncode == 0
    assert "does not start in production" in run("-c", command).stderr


def test_a_checkout_keeps_its_players_in_a_file_beside_the_code(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'haggis.sqlite3'}"
    assert run("manage.py", "migrate", "--verbosity=0", DATABASE_URL=address).returncode == 0
    command = "from games.models import Player; print(Player.objects.count())"
    assert run("manage.py", "shell", "-v0", "-c", command, DATABASE_URL=address).stdout == "0\n"
