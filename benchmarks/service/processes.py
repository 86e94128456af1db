"""Servers that are measured: pinned to one core, their CPU time read from the system, ended by their id."""

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

HOST: Final = "127.0.0.1"
SECONDS_TO_START: Final = 60
# Linux has a clock for each process, whose number is made of that of the process; this one is of all threads.
_SCHEDULED: Final = 2
_NANOSECONDS: Final = 1_000_000_000


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.create_server((HOST, 0)) as server:
        port: int = server.getsockname()[1]
    return port


@contextmanager
def running(command: list[str], *, core: int, url: str, **started: Mapping[str, str] | Path) -> Iterator[int]:
    """Run a server on this core, and give its id once it answers."""
    process = subprocess.Popen(  # noqa: S603 -- commands are written in the measures
        ["taskset", "-c", str(core), *command],  # noqa: S607 -- from the path
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        **started,  # type: ignore[call-overload]  # environment and folder
    )
    try:
        _wait_for(url, process)
        yield process.pid
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _wait_for(url: str, process: "subprocess.Popen[bytes]") -> None:
    give_up = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < give_up and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()  # noqa: S310 -- our own address
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"{url} does not answer")


def cpu_seconds(process_id: int) -> float:
    """CPU time of a process and of all that it started, user and system, to the nanosecond."""
    return _own(process_id) + sum(cpu_seconds(child) for child in _children(process_id))


def _own(process_id: int) -> float:
    """By its own clock: /proc/PID/stat counts in hundredths of a second, a fifteenth of what is measured."""
    return time.clock_gettime_ns((~process_id << 3) | _SCHEDULED) / _NANOSECONDS


def _children(process_id: int) -> list[int]:
    tasks = Path(f"/proc/{process_id}/task").iterdir()
    listed = " ".join((task / "children").read_text(encoding="ascii") for task in tasks)
    return [int(each) for each in listed.split()]
