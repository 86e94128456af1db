"""A process of the service has one malloc arena. Each test runs a subprocess."""

import platform
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]

# Threads that allocate at the same time; then glibc prints its arenas.
THREADS: Final = """
import ctypes, threading
{first}
together = threading.Barrier(9)
threads = [threading.Thread(target=lambda: (bytearray(100_000), together.wait())) for _ in range(8)]
for thread in threads:
    thread.start()
together.wait()
ctypes.CDLL(None).malloc_stats()
"""

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has several arenas")


def count_arenas(first: str) -> int:
    """Return the number of arenas of a process that ran this code and eight threads."""
    command = [sys.executable, "-c", THREADS.format(first=first)]
    completed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return completed.stderr.count("Arena ")


def test_service_process_has_one_arena() -> None:
    assert count_arenas("import haggis_service") == 1


def test_other_processes_have_an_arena_per_thread() -> None:
    assert count_arenas("") > 1
