"""Start every process of a production deployment on this machine, without containers: `make stack`.

It needs PostgreSQL, Redis and nginx. Ctrl-C stops all processes.
"""

import argparse
import os
import shutil
import signal
import socket
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from haggis_service.settings.base import ROOT
from haggis_service.settings.secret_key import load_or_create_secret_key
from haggis_service.stack import proxy
from haggis_service.stack.preflight import missing_requirements
from haggis_service.stack.processes import PROCESSES, SETUP_COMMANDS, Process
from haggis_service.stack.supervisor import SupervisedProcess, run_once, stop_all, write_line

HOST: Final = "127.0.0.1"

# Settings for one machine; environment variables override them.
DEFAULT_ENVIRONMENT: Final = {
    "DJANGO_SETTINGS_MODULE": "haggis_service.settings.production",
    "DATABASE_URL": "postgres://postgres@127.0.0.1:5432/haggis",
    "REDIS_URL": "redis://127.0.0.1:6379/0",
    "HAGGIS_ALLOWED_HOSTS": "localhost,127.0.0.1",
    "HAGGIS_BEHIND_TLS_PROXY": "true",
    "HAGGIS_TRUSTED_PROXIES": "1",
    "HAGGIS_REDIS_WITHOUT_PASSWORD": "true",  # nobody else reaches the Redis of one's own machine
    "HAGGIS_METRICS_ADDRESSES": "127.0.0.1",
    "HAGGIS_LOG_FORM": "text",
    # Threads of numerical libraries would compete with the workers for cores.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONUNBUFFERED": "1",
}


def main() -> int:
    """Start all processes, wait for an interrupt and stop them."""
    options = _arguments()
    environment = _environment(options.data.resolve(), options.port)
    problems = list(
        missing_requirements(
            database=environment["DATABASE_URL"], broker=environment["REDIS_URL"], port=options.port
        )
    )
    if problems:
        sys.stderr.write("".join(f"{problem}\n" for problem in problems))
        return 1
    for command in SETUP_COMMANDS:
        run_once([sys.executable, *command[1:]], environment, ROOT)
    _serve(options, environment)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make stack", description=__doc__)
    parser.add_argument("--port", type=int, default=8080, help="the port of the proxy (8080)")
    parser.add_argument("--data", type=Path, default=ROOT / "var" / "stack", help="the folder for its files")
    for process in PROCESSES:
        text = f"how many {process.name} processes ({process.count})"
        parser.add_argument(f"--{process.name}", type=int, default=process.count, metavar="N", help=text)
    return parser.parse_args()


def _environment(data: Path, port: int) -> dict[str, str]:
    """Return the environment of every process; variables that are already set win."""
    counters = data / "counters"
    shutil.rmtree(counters, ignore_errors=True)
    counters.mkdir(parents=True)
    own = {
        "HAGGIS_SECRET_KEY": load_or_create_secret_key(data / "secret_key"),
        "HAGGIS_STATIC_ROOT": str(data / "static"),
        "HAGGIS_EXPORTS_DIR": str(data / "exports"),
        "HAGGIS_EXPORTS_ACCEL": "/protected-exports/",
        "HAGGIS_SITE_ADDRESS": f"http://{HOST}:{port}",
        "PROMETHEUS_MULTIPROC_DIR": str(counters),
    }
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    return DEFAULT_ENVIRONMENT | own | os.environ | {"PATH": programs}


def _serve(options: argparse.Namespace, environment: Mapping[str, str]) -> None:
    programs, ports = _programs(options, environment)
    command = proxy.write_config(
        options.data.resolve() / "proxy",
        port=options.port,
        ports=ports,
        exports=environment["HAGGIS_EXPORTS_DIR"],
    )
    programs.append(SupervisedProcess("proxy", command, environment))
    interrupted = threading.Event()
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signal_number, lambda *_: interrupted.set())
    for program in programs:
        program.start()
    write_line("stack", f"http://{HOST}:{options.port}/   Ctrl-C stops it")
    interrupted.wait()
    write_line("stack", "stopping")
    stop_all(programs)


def _programs(
    options: argparse.Namespace, environment: Mapping[str, str]
) -> tuple[list[SupervisedProcess], dict[str, list[int]]]:
    """Return the requested number of each process, and the ports of those that listen."""
    programs: list[SupervisedProcess] = []
    ports: dict[str, list[int]] = {}
    for process in PROCESSES:
        for number in range(1, _count(options, process) + 1):
            port = _free_port() if process.listens else 0
            if process.listens:
                ports.setdefault(process.name, []).append(port)
            name = f"{process.name}.{number}"
            programs.append(SupervisedProcess(name, _command(process, port, name), environment))
    return programs, ports


def _count(options: argparse.Namespace, process: Process) -> int:
    return int(getattr(options, process.name.replace("-", "_")))


def _command(process: Process, port: int, name: str) -> list[str]:
    """Return the command; workers on one machine need distinct host names."""
    command = process.command_at(HOST, port)
    return [*command, "--hostname", f"{name}@%h"] if "worker" in command else command


def _free_port() -> int:
    with socket.create_server((HOST, 0)) as server:
        return int(server.getsockname()[1])


if __name__ == "__main__":
    sys.exit(main())
