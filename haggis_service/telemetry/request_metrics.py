"""Prometheus metrics of requests: their number and their duration.

With PROMETHEUS_MULTIPROC_DIR, the processes of one machine count in files of that folder, and each of them
can report the sum.
"""

from functools import cache
from typing import Final

from prometheus_client import Counter, Histogram

KNOWN_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

REQUESTS: Final = Counter("haggis_requests", "Responses sent", ("method", "route", "status"))
REQUEST_SECONDS: Final = Histogram(
    "haggis_request_seconds",
    "Response time; for a stream, the time until it begins",
    ("method", "route"),
    buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2.5, 5, 10, 30),
)

# A counter without labels exists from the start, so that its rate includes the first error.
SERVER_ERRORS: Final = Counter("haggis_server_errors", "Responses with a status of 500 or more")
FIRST_SERVER_ERROR: Final = 500


def count_request(method: str, route: str, status: int, seconds: float) -> None:
    """Count one request. Unknown methods share one label, so that clients cannot fill the memory.

    Probes have no route: /readyz responds with 503 as intended.
    """
    counter, histogram = _counters(method if method in KNOWN_METHODS else "other", route, status)
    counter.inc()
    if status >= FIRST_SERVER_ERROR and route:
        SERVER_ERRORS.inc()
    histogram.observe(seconds)


@cache  # there are few combinations, and `labels` is slow
def _counters(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(method, route, str(status)), REQUEST_SECONDS.labels(method, route)
