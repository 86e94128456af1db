"""Sweep processes, to be killed by tests: `python -m tests.chaos.sweepers 3`. Killed ones are replaced.

They are forked from a process that has imported everything, like the workers in production.
"""

import os
import sys
import time
from typing import Any

import django


def sweep_for_ever(number: int, count: int) -> None:
    """Sweep every second, at a different moment than the other processes."""
    from games.sweep.tasks import sweep  # noqa: PLC0415 -- needs a configured Django

    task: Any = sweep
    while True:
        task()
        time.sleep(1 - (time.time() - number / count) % 1)


def main(count: int) -> None:
    """Keep this many processes running."""
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
    import games.tasks  # noqa: F401 -- imported once for all forks

    main(int(sys.argv[1]))
