"""docker-compose.yml starts the same processes as `make stack`, with restricted privileges.

No container is started: the tests read the file.
"""

import re
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
import redis
import yaml

from haggis_service.settings.base import ROOT
from haggis_service.settings.secret_files import SECRETS
from haggis_service.stack.processes import PROCESSES, Process
from tests.support.processes import wait_for
from tests.support.requirements import HOST, free_port

COMPOSE: Final[dict[str, Any]] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: Final[dict[str, Any]] = COMPOSE["services"]
DOCKERFILE: Final = (ROOT / "Dockerfile").read_text()
EXAMPLE: Final = (ROOT / ".env.example").read_text()
SERVERS: Final = {"postgres", "redis", "proxy"}
RUN_ONCE: Final = {"migrate", "terminal"}
SECRETS_FOLDER: Final = "${HAGGIS_SECRETS:-./secrets}"


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


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_every_service_is_read_only_unprivileged_and_limited(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert "cap_add" not in service
    assert "privileged" not in service
    assert "no-new-privileges:true" in service["security_opt"]
    assert re.fullmatch(r"[1-9]\d*[mg]", service["mem_limit"])
    assert 0 < service["cpus"] <= 2
    assert 0 < service["pids_limit"] <= 512
    assert service["logging"]["options"] == {"max-size": "10m", "max-file": "5"}


def test_bodies_that_wait_in_the_proxy_cannot_exhaust_its_memory() -> None:
    template = (ROOT / "deploy" / "haggis.conf.template").read_text()
    records, megabytes = (
        int(re.findall(pattern, template)[0])
        for pattern in (r"limit_conn haggis_all_records (\d+);", r"client_max_body_size (\d+)m;")
    )
    [folder] = re.findall(r":size=(\d+)m", " ".join(SERVICES["proxy"]["tmpfs"]))
    assert records * megabytes < int(folder)
    # The rest is for nginx and its buffers.
    assert int(folder) + 128 <= int(SERVICES["proxy"]["mem_limit"].removesuffix("m"))


@pytest.mark.parametrize("name", ("postgres", "redis"))
def test_servers_run_as_their_own_user(name: str) -> None:
    assert SERVICES[name]["user"] == name


@pytest.mark.parametrize("process", PROCESSES, ids=lambda process: process.name)
def test_services_start_after_the_migrations(process: Process) -> None:
    dependencies = SERVICES[process.name]["depends_on"]
    assert dependencies["migrate"] == {"condition": "service_completed_successfully"}


def test_image_does_not_run_as_root() -> None:
    last_stage = DOCKERFILE.rpartition("FROM ")[2]
    assert re.search(r"^USER [1-9]\d+$", last_stage, re.MULTILINE)


def test_images_have_exact_versions() -> None:
    images = [service["image"] for service in SERVICES.values() if service["image"] != "haggis"]
    images += re.findall(r"^ARG (?:BUILD_)?BASE=(\S+)", DOCKERFILE, re.MULTILINE)
    assert len(images) == 5
    for image in images:
        assert re.search(r":\d+\.\d+(\.\d+)?(-|@|$)", image), image
        assert re.search(r":17\.\d+|:\d+\.\d+\.\d+", image), f"{image}: a minor version moves"


# --- Networks -----------------------------------------------------------------------------------------------


def neighbours(name: str) -> set[str]:
    """Return the services that share a network with this one."""
    own = set(SERVICES[name].get("networks", ()))
    return {other for other in SERVICES.keys() - {name} if own & set(SERVICES[other].get("networks", ()))}


def test_each_service_reaches_only_the_servers_that_it_uses() -> None:
    processes = {each.name for each in PROCESSES}
    assert neighbours("proxy") == {"web", "events"}
    assert neighbours("postgres") == processes - {"beat"} | {"migrate"}
    assert neighbours("redis") == processes
    assert neighbours("terminal") == set()


def test_only_the_processes_that_send_messages_reach_the_internet() -> None:
    internal = {name for name, network in COMPOSE["networks"].items() if (network or {}).get("internal")}
    assert internal == {"frontend", "database", "queues", "metrics"}
    outside = {name for name in SERVICES if set(SERVICES[name].get("networks", ())) - internal}
    assert outside == {"proxy", "worker", "worker-outbox"}


def test_only_the_proxy_publishes_a_port_and_on_this_machine_alone() -> None:
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert published == {"proxy": ["${HAGGIS_PUBLISH:-127.0.0.1:8080}:8080"]}


# --- Secrets ------------------------------------------------------------------------------------------------


def test_secrets_are_files_and_never_environment_variables() -> None:
    for name, service in SERVICES.items():
        environment = service.get("environment", {})
        assert environment.keys() & {*SECRETS} <= {"DATABASE_URL", "REDIS_URL"}, name
        for variable, value in environment.items():
            assert not re.search(r"://[^/@]*:[^/@]+@", str(value)), f"{name}: {variable} contains a password"
            if variable.endswith("_FILE") and variable != "HAGGIS_ALIVE_FILE":
                assert str(value).removeprefix("/run/secrets/") in service["secrets"], f"{name}: {variable}"


def test_only_the_migrations_and_the_server_know_the_password_of_the_owner() -> None:
    having = {name for name in SERVICES if "owner_password" in SERVICES[name].get("secrets", ())}
    assert having == {"postgres", "migrate"}
    assert SERVICES["web"]["environment"]["DATABASE_URL"].startswith("postgres://haggis_service@")


def test_redis_requires_a_password_that_is_not_an_argument() -> None:
    script = SERVICES["redis"]["command"][2]
    assert "requirepass" in script
    assert "exec redis-server" in script
    assert "--requirepass" not in script


@pytest.mark.needs("redis-server")
def test_redis_of_the_compose_file_rejects_clients_without_the_password(tmp_path: Path) -> None:
    port = free_port()
    (tmp_path / "redis_password").write_text("a secret\n")

    def here(command: str) -> str:
        local = re.sub("/run/secrets|/tmp(?=/redis.conf)", str(tmp_path), command)
        return local.replace("$$", "$").replace("redis-cli", f"redis-cli -p {port}")

    command = here(SERVICES["redis"]["command"][2])
    with subprocess.Popen(
        ["/bin/sh", "-c", f"{command} --port {port} --bind {HOST} --dir {tmp_path}"]
    ) as server:
        try:
            health = here(SERVICES["redis"]["healthcheck"]["test"][1])
            check = ["/bin/sh", "-c", health]
            wait_for("Redis", lambda: subprocess.run(check, check=False).returncode == 0, 30)
            with redis.Redis(HOST, port) as client, pytest.raises(redis.AuthenticationError):
                client.ping()
            # `exec`: the server gets the signals of Docker itself.
            assert Path(f"/proc/{server.pid}/comm").read_text().strip() == "redis-server"
        finally:
            server.terminate()


def test_command_creates_every_secret_once(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    subprocess.run([ROOT / "deploy" / "create_secrets.sh", folder], check=True)
    assert folder.stat().st_mode & 0o777 == 0o700
    created = {file.name: file.read_text().strip() for file in folder.iterdir()}
    assert created.keys() == COMPOSE["secrets"].keys()
    optional = {"email_url", "push_key"}
    assert {name for name, text in created.items() if not text} == optional
    assert all(len(text) >= 43 for name, text in created.items() if name not in optional)
    assert len(set(created.values())) == len(created) - len(optional) + 1
    subprocess.run([ROOT / "deploy" / "create_secrets.sh", folder], check=True)
    assert {file.name: file.read_text().strip() for file in folder.iterdir()} == created


def test_secret_files_are_outside_the_repository_and_the_image() -> None:
    for name, secret in COMPOSE["secrets"].items():
        assert secret == {"file": f"{SECRETS_FOLDER}/{name}"}
    assert "/secrets/" in (ROOT / ".gitignore").read_text().splitlines()
    assert (ROOT / ".dockerignore").read_text().splitlines()[1] == "*"


# --- Variables and programs ---------------------------------------------------------------------------------


def test_example_file_has_every_variable_of_the_compose_file() -> None:
    variables = set(re.findall(r"(?<!\$)\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))
    assert variables == set(re.findall(r"^([A-Z_]+)=", EXAMPLE, re.MULTILINE))


def test_only_the_own_proxy_is_trusted_by_default() -> None:
    assert SERVICES["web"]["environment"]["HAGGIS_TRUSTED_PROXIES"] == "${HAGGIS_TRUSTED_PROXIES:-1}"
    assert "\nHAGGIS_TRUSTED_PROXIES=1\n" in EXAMPLE


def test_image_contains_the_terminal_client() -> None:
    program = SERVICES["terminal"]["command"][1]
    assert (ROOT / program).exists()
    assert "COPY examples examples" in DOCKERFILE
    assert "!examples/**" in (ROOT / ".dockerignore").read_text().splitlines()
