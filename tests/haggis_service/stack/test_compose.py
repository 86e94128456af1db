"""docker-compose.yml starts what `make stack` starts, and as carefully as it should.

No container is started here: the file is read as Docker reads it, and its parts are compared.
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
NOT_OURS: Final = {"postgres", "redis", "proxy"}
NOT_KEPT: Final = {"migrate", "terminal"}


@pytest.mark.parametrize("process", PROCESSES, ids=lambda process: process.name)
def test_each_process_has_the_same_command_in_both(process: Process) -> None:
    assert SERVICES[process.name]["command"] == process.command_at("0.0.0.0", 8000)  # noqa: S104 -- a container
    assert SERVICES[process.name].get("deploy", {}).get("replicas", 1) == process.count


def test_there_is_nothing_else_but_the_servers_and_what_runs_once() -> None:
    assert SERVICES.keys() == {each.name for each in PROCESSES} | NOT_OURS | NOT_KEPT


@pytest.mark.parametrize("name", sorted(SERVICES.keys() - NOT_KEPT))
def test_each_that_keeps_running_is_looked_after(name: str) -> None:
    assert SERVICES[name]["healthcheck"]["test"]
    assert SERVICES[name]["restart"] == "unless-stopped"


@pytest.mark.parametrize("name", sorted(SERVICES.keys() - {"postgres", "redis"}))
def test_each_of_ours_can_write_nowhere_and_do_nothing_special(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]


@pytest.mark.parametrize("process", PROCESSES, ids=lambda process: process.name)
def test_nothing_starts_before_the_tables_are_up_to_date(process: Process) -> None:
    waits = SERVICES[process.name]["depends_on"]
    assert waits["migrate"] == {"condition": "service_completed_successfully"}


def test_the_programs_are_run_by_nobody_special() -> None:
    last_stage = (ROOT / "Dockerfile").read_text().rpartition("FROM ")[2]
    assert "USER haggis" in last_stage


def test_every_variable_that_is_asked_for_is_in_the_example() -> None:
    asked = set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))
    assert asked == set(re.findall(r"^([A-Z_]+)=", EXAMPLE, re.MULTILINE))


def test_what_the_terminal_runs_is_in_the_image() -> None:
    program = SERVICES["terminal"]["command"][1]
    assert (ROOT / program).exists()
    assert "COPY examples examples" in (ROOT / "Dockerfile").read_text()
    assert "!examples/**" in (ROOT / ".dockerignore").read_text().splitlines()
