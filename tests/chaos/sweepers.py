"""Sweepers to be killed: `python -m tests.chaos.sweepers 3`. One that dies is followed by another.

They are forked from a process that has loaded everything, as the workers of production are.
"""

import os
import sys
import time
from typing import Any

import django


def sweep_for_ever(number: int, count: int) -> None:
    """Sweep until the end, at another moment of the second than the others."""
    from games.tasks import sweep  # noqa: PLC0415 -- Django has to be set up first

    task: Any = sweep
    while True:
        task()
        time.sleep(1 - (time.time() - number / count) % 1)


def main(count: int) -> None:
    """Keep so many of them running."""
    running: dict[int, int] = {}
    while True:
        for number in set(range(count)) - set(running.values()):
            process = os.fork()
            if process == 0:
                sweep_for_ever(number, count)
            running[process] = number
        exited, _ = os.wait()
        running.pop(exited, None)


if __name__ == "__main__":
    django.setup()
    import games.tasks  # noqa: F401 -- loaded once, for all that are forked

    main(int(sys.argv[1]))
