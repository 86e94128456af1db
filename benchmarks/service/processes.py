"""Server processes: pinned to a core, with their CPU time read from the kernel."""

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
START_TIMEOUT_SECONDS: Final = 60
# The clock id of a process's CPU time in Linux: its id, shifted, and the kind of clock (all threads).
_CPU_CLOCK: Final = 2
_NANOSECONDS: Final = 1_000_000_000


def free_port() -> int:
    """Return an unused port."""
    with socket.create_server((HOST, 0)) as server:
        port: int = server.getsockname()[1]
    return port


@contextmanager
def run_server(
    command: list[str], *, core: int, url: str, **options: Mapping[str, str] | Path
) -> Iterator[int]:
    """Run a server on this core; yield its process id once it answers."""
    process = subprocess.Popen(  # noqa: S603 -- a fixed command
        ["taskset", "-c", str(core), *command],  # noqa: S607 -- found on the PATH
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        **options,  # type: ignore[call-overload]  # environment and folder
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
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()  # noqa: S310 -- a local URL
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"{url} does not respond")


def cpu_seconds(process_id: int) -> float:
    """Return the CPU time of a process and its descendants, to the nanosecond."""
    return _own_cpu_seconds(process_id) + sum(cpu_seconds(child) for child in _child_ids(process_id))


def _own_cpu_seconds(process_id: int) -> float:
    """Return the CPU time from the process clock; /proc/PID/stat is too coarse (10 ms)."""
    return time.clock_gettime_ns((~process_id << 3) | _CPU_CLOCK) / _NANOSECONDS


def _child_ids(process_id: int) -> list[int]:
    tasks = Path(f"/proc/{process_id}/task").iterdir()
    children = " ".join((task / "children").read_text(encoding="ascii") for task in tasks)
    return [int(each) for each in children.split()]
