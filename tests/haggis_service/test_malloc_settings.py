"""However many threads there were, a process has one heap. Each case is a process of its own."""

import platform
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]

# Threads that hold something each, all at once; then the heaps that the C library tells of.
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

pytestmark = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="only the C library of most Linuxes has several heaps"
)


def heaps(first: str) -> int:
    """How many heaps a process has after this, and eight threads."""
    command = [sys.executable, "-c", THREADS.format(first=first)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stderr.count("Arena ")


def test_a_process_of_the_service_has_one_heap() -> None:
    assert heaps("import haggis_service") == 1


def test_threads_have_heaps_of_their_own_otherwise() -> None:
    assert heaps("") > 1
