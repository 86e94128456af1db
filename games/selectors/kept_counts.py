"""Counts that look at every row: kept by the process for a while, so that looking often costs no more."""

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

Counted = TypeVar("Counted")


class KeptCount(Generic[Counted]):
    """A count that is made anew only when the last one is older than so many seconds.

    >>> numbers = iter(range(9))
    >>> count = KeptCount(lambda: next(numbers), seconds=60)
    >>> count(), count()
    (0, 0)
    >>> count.forget()
    >>> count()
    1
    """

    def __init__(self, count: Callable[[], Counted], *, seconds: float) -> None:
        self._count = count
        self._seconds = seconds
        self._counting = Lock()
        self._kept: tuple[float, Counted] | None = None

    def __call__(self) -> Counted:
        """Give the count; whoever asks while it is made waits for it."""
        with self._counting:
            if self._kept is None or monotonic() - self._kept[0] >= self._seconds:
                self._kept = monotonic(), self._count()
            return self._kept[1]

    def forget(self) -> None:
        """Count anew the next time."""
        self._kept = None


def kept_for(seconds: float) -> Callable[[Callable[[], Counted]], KeptCount[Counted]]:
    """Make a function of what it counts into a count that is kept."""
    return lambda count: KeptCount(count, seconds=seconds)
