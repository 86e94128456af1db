"""A supervisor: it prefixes the output of processes, restarts those that exit, and stops all together."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

RESTART_DELAY_SECONDS: Final = 1.0
STOP_TIMEOUT_SECONDS: Final = 15.0

_output_lock: Final = threading.Lock()


@dataclass(slots=True)
class SupervisedProcess:
    """A process that is restarted until it is stopped."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    process: subprocess.Popen[str] | None = None
    stop_requested: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the process, and restart it whenever it exits."""
        self.thread = threading.Thread(target=self._run_until_stopped, name=self.name, daemon=True)
        self.thread.start()

    def _run_until_stopped(self) -> None:
        while not self.stop_requested.is_set():
            self._run()
            if not self.stop_requested.is_set():
                code = self.process.returncode if self.process else "?"
                write_line(self.name, f"exited with {code}; restarting")
                self.stop_requested.wait(RESTART_DELAY_SECONDS)

    def _run(self) -> None:
        """Run the process once and copy its output."""
        self.process = subprocess.Popen(  # noqa: S603 -- commands of the process list
            self.command,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,  # Ctrl-C reaches the supervisor only, which stops each process
        )
        with self.process as running:
            for line in running.stdout or ():
                write_line(self.name, line.rstrip("\n"))

    def stop(self) -> None:
        """Terminate the process and do not restart it."""
        self.stop_requested.set()
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    def wait(self, until: float) -> None:
        """Wait for the process to exit; kill its process group at the deadline."""
        if self.process is None or self.thread is None:
            return
        self.thread.join(max(0.0, until - time.monotonic()))
        if self.thread.is_alive() and self.process.poll() is None:
            write_line(self.name, "did not exit in time; killed")
            os.killpg(self.process.pid, 9)
            self.thread.join(1)


def stop_all(programs: Sequence[SupervisedProcess]) -> None:
    """Stop all processes in parallel."""
    for program in programs:
        program.stop()
    until = time.monotonic() + STOP_TIMEOUT_SECONDS
    for program in programs:
        program.wait(until)


def run_once(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
    """Run a command; raise an error if it fails."""
    subprocess.run(command, env=dict(environment), cwd=folder, check=True)  # noqa: S603 -- commands of the process list


def write_line(name: str, line: str) -> None:
    """Write one line of output with the name of its process."""
    with _output_lock:
        sys.stdout.write(f"{name:<11}| {line}\n")
        sys.stdout.flush()
