import subprocess
import sys
from pathlib import Path

import pytest
from environ import Env

from haggis_service.settings.base import ROOT
from haggis_service.settings.secret_files import (
    SECRETS,
    add_password,
    load_secret_files,
    secret_file_problems,
)
from tests.haggis_service.settings.test_safety import SAFE
from tests.support.processes import minimal_environment


def environment(**variables: str) -> Env:
    env = Env()
    env.ENVIRON = variables
    return env


def write(folder: Path, **values: str) -> dict[str, str]:
    """Write each value into a file; return the variables that name the files."""
    for name, value in values.items():
        (folder / name).write_text(value, encoding="utf-8")
    return {f"{name}_FILE": str(folder / name) for name in values}


@pytest.mark.parametrize("name", SECRETS)
def test_each_secret_is_read_from_a_file_without_the_final_newline(name: str, tmp_path: Path) -> None:
    env = environment(**write(tmp_path, **{name: "a value\n"}))
    load_secret_files(env)
    assert env.str(name) == "a value"
    assert list(secret_file_problems(env)) == []


def test_passwords_complete_the_urls_that_have_none(tmp_path: Path) -> None:
    files = write(tmp_path, DATABASE_PASSWORD="a/b@c\n", REDIS_PASSWORD="secret\n")
    urls = {
        "DATABASE_URL": "postgres://haggis_service@postgres:5432/haggis",
        "REDIS_URL": "redis://redis:6379/0",
        "CELERY_BROKER_URL": "redis://:own@redis:6379/1",
    }
    env = environment(**urls, **files)
    load_secret_files(env)
    assert env.str("DATABASE_URL") == "postgres://haggis_service:a%2Fb%40c@postgres:5432/haggis"
    assert env.str("REDIS_URL") == "redis://:secret@redis:6379/0"
    assert env.str("CELERY_BROKER_URL") == "redis://:own@redis:6379/1"
    assert "HAGGIS_NEWS_URL" not in env.ENVIRON


@pytest.mark.parametrize(
    "address", ("unix:///run/redis.sock", "sqlite:////srv/haggis.sqlite3", "redis://:own@host")
)
def test_other_urls_are_not_changed(address: str) -> None:
    assert add_password(address, "secret") == address


def test_empty_file_leaves_the_value_unset(tmp_path: Path) -> None:
    env = environment(**write(tmp_path, EMAIL_URL="\n"))
    load_secret_files(env)
    assert list(secret_file_problems(env)) == []
    assert env.str("EMAIL_URL", default="dummymail://") == "dummymail://"


def test_unreadable_files_are_problems_that_name_the_variable(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    env = environment(
        EMAIL_URL_FILE=str(tmp_path / "binary"),
        REDIS_URL_FILE=str(tmp_path / "missing"),
    )
    load_secret_files(env)
    problems = "\n".join(secret_file_problems(env))
    assert "EMAIL_URL_FILE cannot be read: it is not text" in problems
    assert "REDIS_URL_FILE cannot be read: No such file" in problems


def test_production_starts_with_all_required_secrets_in_files(tmp_path: Path) -> None:
    files = write(
        tmp_path,
        HAGGIS_SECRET_KEY=SAFE["HAGGIS_SECRET_KEY"] + "\n",
        DATABASE_PASSWORD="database password\n",
        REDIS_PASSWORD="redis password\n",
    )
    variables = {
        "HAGGIS_ALLOWED_HOSTS": "haggis.example",
        "DATABASE_URL": "postgres://haggis_service@db/haggis",
        "REDIS_URL": "redis://cache:6379/0",
        "DJANGO_SETTINGS_MODULE": "haggis_service.settings.production",
    }
    code = (
        "from django.conf import settings as s; print(s.SECRET_KEY, s.DATABASES['default']['PASSWORD'],"
        " s.CACHES['default']['LOCATION'], s.CELERY_BROKER_URL, s.HAGGIS_NEWS_URL, sep='\\n')"
    )
    completed = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=minimal_environment(**variables, **files),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    redis = "redis://:redis%20password@cache:6379/0"
    wanted = [SAFE["HAGGIS_SECRET_KEY"], "database password", redis, redis, redis]
    assert completed.stdout.splitlines() == wanted, completed.stderr
