"""The memory measurements notice thread arenas, growth, and processes that have done nothing."""

import os
import platform
import subprocess
import sys
from typing import Final

import pytest

from tests.load.memory import Sampler, count_thread_arenas, cpu_seconds, memory_megabytes
from tests.support.processes import ROOT

# Eight threads that allocate memory, and a line when they have.
THREADS: Final = """
import ctypes, sys, threading
{first}
together = threading.Barrier(9)
def hold():
    held = bytearray(100_000)
    together.wait()
    threading.Event().wait()
for _ in range(8):
    threading.Thread(target=hold, daemon=True).start()
together.wait()
print("there", flush=True)
sys.stdin.read()
"""


def count_arenas(first: str) -> int:
    with subprocess.Popen(
        [sys.executable, "-c", THREADS.format(first=first)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "there\n"
        found = count_thread_arenas(running.pid)
        running.kill()
    return found


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has several arenas")
def test_thread_arenas_are_counted() -> None:
    assert count_arenas("") > 0
    assert count_arenas("import haggis_service") == 0


def sampler_with(*of_one_program: float) -> Sampler:
    """Return a sampler with these samples of one process, which used a CPU second between them."""
    sampler = Sampler(dict, interval=1.0)
    sampler.samples = [{"web": each} for each in of_one_program]
    sampler.cpu_used = [float(number) for number, _ in enumerate(of_one_program)]
    return sampler


def test_samples_before_the_warm_up_are_ignored() -> None:
    growing = sampler_with(*range(100, 110), *[150.0] * 20)
    assert growing.early_and_late(warm_up=10.0)["all"] == (150.0, 150.0)
    assert growing.early_and_late()["all"] == (101.0, 150.0)


def test_single_outlier_is_ignored() -> None:
    assert sampler_with(*[100.0] * 28, 500.0, 100.0).early_and_late()["all"] == (100.0, 100.0)


def test_memory_and_cpu_time_are_zero_only_for_missing_processes() -> None:
    assert memory_megabytes(os.getpid()) > 1
    assert cpu_seconds(os.getpid()) > 0
    assert memory_megabytes(2**22 + 1) == cpu_seconds(2**22 + 1) == 0
