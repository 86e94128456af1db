"""What the settings read, what docs/operate.md says, and what the compose file passes on, are the same."""

import json
import re
import subprocess
import sys
from functools import cache
from typing import Any, Final

import yaml

from haggis_service.settings.base import ROOT
from tests.chaos.servers import usual_environment
from tests.haggis_service.settings.test_safety import SAFE

READ: Final = """
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
# What the image sets itself, and what a compose file would be wrong to offer.
NOT_PASSED_ON: Final = {
    "CELERY_BROKER_URL",
    "DEBUG",
    "HAGGIS_NEWS_URL",
    "HAGGIS_STATIC_ROOT",
    "HAGGIS_WEBHOOKS_LOCAL",
}
NOT_SETTINGS: Final = {"HAGGIS_ALIVE_FILE"}


@cache
def read_by_production() -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", READ],
        cwd=ROOT,
        env=usual_environment(**SAFE),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return set(json.loads(done.stdout))


def test_each_setting_has_its_line_in_the_guide_and_each_line_its_setting() -> None:
    guide = (ROOT / "docs" / "operate.md").read_text()
    table = guide.partition("## Settings")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `([A-Z_]+)` \|", table, re.MULTILINE)) == read_by_production()


def test_each_setting_can_be_set_where_containers_are_started() -> None:
    compose: Any = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    passed = set(compose["x-environment"])
    assert passed - NOT_SETTINGS == read_by_production() - NOT_PASSED_ON


def test_defaults_in_the_compose_file_are_those_of_the_guide() -> None:
    guide = (ROOT / "docs" / "operate.md").read_text()
    compose: Any = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    told = dict(re.findall(r"^\| `([A-Z_]+)` \| ([^|]+?) \|", guide, re.MULTILINE))
    for name, value in compose["x-environment"].items():
        default = re.fullmatch(r"\$\{[A-Z_]+:-(\d[^}]*)\}", str(value))
        if default and name not in {"HAGGIS_TRUSTED_PROXIES", "HAGGIS_HSTS_SECONDS"}:
            assert told[name] == default[1], name
