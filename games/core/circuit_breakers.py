"""Circuit breakers: after a failure, send nothing to a server for a while, so that it delays few requests."""

from dataclasses import dataclass
from time import monotonic
from typing import Final

BREAKER_SECONDS: Final = 5.0


@dataclass(slots=True)
class CircuitBreaker:
    """Until when, by the monotonic clock, nothing is sent to a server.

    >>> breaker = CircuitBreaker()
    >>> breaker.is_open()
    False
    >>> breaker.trip()
    >>> breaker.is_open()
    True
    """

    open_until: float = 0.0

    def is_open(self) -> bool:
        """Return whether nothing may be sent now."""
        return monotonic() < self.open_until

    def trip(self) -> None:
        """Open the breaker for `BREAKER_SECONDS`."""
        self.open_until = monotonic() + BREAKER_SECONDS
