"""The settings, docs/operate.md and docker-compose.yml agree on the environment variables."""

import json
import re
import subprocess
import sys
from functools import cache
from typing import Any, Final

import yaml

from haggis_service.settings.base import ROOT
from haggis_service.settings.secret_files import SECRETS
from tests.haggis_service.settings.test_safety import SAFE
from tests.support.processes import minimal_environment

PRINT_VARIABLES: Final = """
import importlib, json, environ
read = set()
get = environ.Env.get_value
def noted(self, name, *arguments, **options):
    read.add(str(name))
    return get(self, name, *arguments, **options)
environ.Env.get_value = noted
importlib.import_module("haggis_service.settings.production")
print(json.dumps(sorted(read)))
"""
# Each secret can also come from a file, which its name with _FILE at the end names.
FILES: Final = {f"{name}_FILE" for name in SECRETS}
# Variables that the image sets itself, and variables that do not belong in a deployment.
NOT_IN_COMPOSE: Final = {
    "CELERY_BROKER_URL",
    "DEBUG",
    "HAGGIS_ADMIN_SECOND_FACTOR",
    "HAGGIS_NEWS_URL",
    "HAGGIS_STATIC_ROOT",
    "HAGGIS_WEBHOOKS_LOCAL",
}
NOT_SETTINGS: Final = {"HAGGIS_ALIVE_FILE"}


@cache
def production_variables() -> set[str]:
    completed = subprocess.run(
        [sys.executable, "-c", PRINT_VARIABLES],
        cwd=ROOT,
        env=minimal_environment(**SAFE),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return set(json.loads(completed.stdout)) - FILES | {"DATABASE_PASSWORD", "REDIS_PASSWORD"}


def test_guide_lists_exactly_the_variables_of_production() -> None:
    guide = (ROOT / "docs" / "operate.md").read_text()
    table = guide.partition("## Settings")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `([A-Z_]+)` \|", table, re.MULTILINE)) == production_variables()


def test_guide_lists_the_secrets_that_can_be_files() -> None:
    guide = (ROOT / "docs" / "operate.md").read_text()
    listed = guide.partition("### Secrets as files")[2].partition("\n### ")[0]
    assert set(re.findall(r"`([A-Z_]+)`", listed.partition("can be files:")[2])) == set(SECRETS)


def test_compose_file_passes_on_every_variable() -> None:
    compose: Any = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    passed = {name.removesuffix("_FILE") if name in FILES else name for name in compose["x-environment"]}
    assert passed - NOT_SETTINGS == production_variables() - NOT_IN_COMPOSE


def test_compose_file_and_guide_have_the_same_defaults() -> None:
    guide = (ROOT / "docs" / "operate.md").read_text()
    compose: Any = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    documented = dict(re.findall(r"^\| `([A-Z_]+)` \| ([^|]+?) \|", guide, re.MULTILINE))
    for name, value in compose["x-environment"].items():
        default = re.fullmatch(r"\$\{[A-Z_]+:-(\d[^}]*)\}", str(value))
        if default and name not in {"HAGGIS_TRUSTED_PROXIES", "HAGGIS_HSTS_SECONDS"}:
            assert documented[name] == default[1], name
