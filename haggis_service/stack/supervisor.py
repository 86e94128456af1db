"""Keeping programs running: each with its output prefixed, started again when it ends, ended together."""

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
    """A program that is to run until it is told to end."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    process: subprocess.Popen[str] | None = None
    stop_requested: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None

    def start(self) -> None:
        """Start it, and again whenever it ends."""
        self.thread = threading.Thread(target=self._run_until_stopped, name=self.name, daemon=True)
        self.thread.start()

    def _run_until_stopped(self) -> None:
        while not self.stop_requested.is_set():
            self._run()
            if not self.stop_requested.is_set():
                code = self.process.returncode if self.process else "?"
                write_line(self.name, f"ended with {code}, and is started again")
                self.stop_requested.wait(RESTART_DELAY_SECONDS)

    def _run(self) -> None:
        """Start it once, and pass on what it says until it ends."""
        self.process = subprocess.Popen(  # noqa: S603 -- from our own list
            self.command,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,  # Ctrl-C is for us: each is then told to end in its own way
        )
        with self.process as running:
            for line in running.stdout or ():
                write_line(self.name, line.rstrip("\n"))

    def stop(self) -> None:
        """Tell it to end, and not to be started again."""
        self.stop_requested.set()
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    def wait(self, until: float) -> None:
        """Wait for its end; kill it, with all that it has started, when that takes too long."""
        if self.process is None or self.thread is None:
            return
        self.thread.join(max(0.0, until - time.monotonic()))
        if self.thread.is_alive() and self.process.poll() is None:
            write_line(self.name, "does not end, and is killed")
            os.killpg(self.process.pid, 9)
            self.thread.join(1)


def stop_all(programs: Sequence[SupervisedProcess]) -> None:
    """End them side by side."""
    for program in programs:
        program.stop()
    until = time.monotonic() + STOP_TIMEOUT_SECONDS
    for program in programs:
        program.wait(until)


def run_once(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
    """Run a program to its end, which must be a good one."""
    subprocess.run(command, env=dict(environment), cwd=folder, check=True)  # noqa: S603 -- from our own list


def write_line(name: str, line: str) -> None:
    """Write one line with the name of who says it."""
    with _output_lock:
        sys.stdout.write(f"{name:<11}| {line}\n")
        sys.stdout.flush()
