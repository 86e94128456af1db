"""docker-compose.yml starts the same processes as `make stack`, with restricted privileges.

No container is started: the tests read the file.
"""

import re
from typing import Any, Final

import pytest
import yaml

from haggis_service.settings.base import ROOT
from haggis_service.stack.processes import PROCESSES, Process

COMPOSE: Final[dict[str, Any]] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: Final[dict[str, Any]] = COMPOSE["services"]
EXAMPLE: Final = (ROOT / ".env.example").read_text()
SERVERS: Final = {"postgres", "redis", "proxy"}
RUN_ONCE: Final = {"migrate", "terminal"}


@pytest.mark.parametrize("process", PROCESSES, ids=lambda process: process.name)
def test_commands_and_replicas_match_the_process_list(process: Process) -> None:
    assert SERVICES[process.name]["command"] == process.command_at("0.0.0.0", 8000)  # noqa: S104 -- a container
    assert SERVICES[process.name].get("deploy", {}).get("replicas", 1) == process.count


def test_services_are_the_processes_servers_and_one_off_commands() -> None:
    assert SERVICES.keys() == {each.name for each in PROCESSES} | SERVERS | RUN_ONCE


@pytest.mark.parametrize("name", sorted(SERVICES.keys() - RUN_ONCE))
def test_long_running_services_have_health_checks_and_restart(name: str) -> None:
    assert SERVICES[name]["healthcheck"]["test"]
    assert SERVICES[name]["restart"] == "unless-stopped"


@pytest.mark.parametrize("name", sorted(SERVICES.keys() - {"postgres", "redis"}))
def test_own_services_are_read_only_and_unprivileged(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]


@pytest.mark.parametrize("process", PROCESSES, ids=lambda process: process.name)
def test_services_start_after_the_migrations(process: Process) -> None:
    dependencies = SERVICES[process.name]["depends_on"]
    assert dependencies["migrate"] == {"condition": "service_completed_successfully"}


def test_image_does_not_run_as_root() -> None:
    last_stage = (ROOT / "Dockerfile").read_text().rpartition("FROM ")[2]
    assert "USER haggis" in last_stage


def test_example_file_has_every_variable_of_the_compose_file() -> None:
    variables = set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))
    assert variables == set(re.findall(r"^([A-Z_]+)=", EXAMPLE, re.MULTILINE))


def test_image_contains_the_terminal_client() -> None:
    program = SERVICES["terminal"]["command"][1]
    assert (ROOT / program).exists()
    assert "COPY examples examples" in (ROOT / "Dockerfile").read_text()
    assert "!examples/**" in (ROOT / ".dockerignore").read_text().splitlines()
