"""Startup of the service in a subprocess, with only the environment variables that the test sets."""

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


def test_development_starts_without_configuration() -> None:
    result = run("manage.py", "check")
    assert result.returncode == 0, result.stderr


def test_production_refuses_to_start_and_lists_missing_settings() -> None:
    result = run("manage.py", "check", DJANGO_SETTINGS_MODULE="haggis_service.settings.production")
    assert result.returncode != 0
    for name in SAFE:
        assert f"{name} is not set" in result.stderr


def test_production_with_safe_settings_passes_the_deployment_check() -> None:
    settings = "--settings=haggis_service.settings.production"
    result = run("manage.py", "check", "--deploy", "--fail-level", "WARNING", settings, **SAFE)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("entry_point", ("wsgi", "asgi"))
def test_entry_points_use_production_settings_by_default(entry_point: str) -> None:
    command = f"import haggis_service.{entry_point}"
    assert run("-c", command, **SAFE).returncode == 0
    assert "does not start in production" in run("-c", command).stderr


def test_events_command_uses_production_settings_by_default() -> None:
    assert "does not start in production" in run("manage.py", "events", "--port", "0").stderr


def test_development_trusts_no_forwarded_headers() -> None:
    command = (
        "from django.conf import settings as s; print(s.HAGGIS_TRUSTED_PROXIES, s.SECURE_PROXY_SSL_HEADER)"
    )
    settings = "haggis_service.settings.development"
    # Variables for production do not change it: nothing is known to stand in front of `make run`.
    proxies = {"HAGGIS_TRUSTED_PROXIES": "2", "HAGGIS_BEHIND_TLS_PROXY": "true"}
    assert run("-c", command, DJANGO_SETTINGS_MODULE=settings, **proxies).stdout == "0 None\n"


def test_development_migrates_an_sqlite_file(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'haggis.sqlite3'}"
    assert run("manage.py", "migrate", "--verbosity=0", DATABASE_URL=address).returncode == 0
    command = "from games.models import Player; print(Player.objects.count())"
    assert run("manage.py", "shell", "-v0", "-c", command, DATABASE_URL=address).stdout == "0\n"
