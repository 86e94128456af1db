"""Request ids, the access log and the Prometheus metrics of requests.

A log line has the route and never the URL, which may contain a ticket or the token of a mail. A valid request
id of the client or the proxy is reused; the response returns the id.

With PROMETHEUS_MULTIPROC_DIR, the processes of one machine count in files of that folder, and each of them
can report the sum.
"""

import logging
import re
from collections.abc import Awaitable, Callable
from functools import cache
from random import getrandbits
from time import perf_counter
from typing import Any, Final

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from prometheus_client import Counter, Histogram
from structlog.contextvars import bind_contextvars, bound_contextvars, reset_contextvars

from games.identity.models import Player

HEADER: Final = "X-Request-ID"
_VALID_ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
_SERVER_ERROR: Final = 500
_KNOWN_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

REQUESTS: Final = Counter("haggis_requests", "Responses sent", ("method", "route", "status"))
REQUEST_SECONDS: Final = Histogram(
    "haggis_request_seconds",
    "Response time; for a stream, the time until it begins",
    ("method", "route"),
    buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2.5, 5, 10, 30),
)
# A counter without labels exists from the start, so that its rate includes the first error.
SERVER_ERRORS: Final = Counter("haggis_server_errors", "Responses with a status of 500 or more")

log = logging.getLogger("haggis.requests")


@sync_and_async_middleware
def log_requests(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Give each request an id; log and count its response. This must be the first middleware."""
    if iscoroutinefunction(get_response):

        async def async_middleware(request: HttpRequest) -> HttpResponseBase:
            request_id, started = _request_id(request), perf_counter()
            with bound_contextvars(request_id=request_id):
                answer: Awaitable[HttpResponseBase] = get_response(request)
                return _log_response(request, await answer, request_id, perf_counter() - started)

        return async_middleware

    def sync_middleware(request: HttpRequest) -> HttpResponseBase:
        request_id, started = _request_id(request), perf_counter()
        before = bind_contextvars(request_id=request_id)
        try:
            return _log_response(request, get_response(request), request_id, perf_counter() - started)
        finally:
            reset_contextvars(**before)

    return sync_middleware


def _request_id(request: HttpRequest) -> str:
    given: str = request.META.get("HTTP_X_REQUEST_ID", "")
    if _VALID_ID.fullmatch(given):
        return given
    return f"{getrandbits(128):032x}"  # need not be unpredictable, so it costs no system call


def _log_response(
    request: HttpRequest, response: HttpResponseBase, request_id: str, seconds: float
) -> HttpResponseBase:
    response[HEADER] = request_id
    resolved = request.resolver_match
    method = request.method or ""
    route = resolved.route if resolved is not None else ""
    # Unknown methods share one label, so that clients cannot fill the memory.
    counter, histogram = _metrics(
        method if method in _KNOWN_METHODS else "other", route, response.status_code
    )
    counter.inc()
    histogram.observe(seconds)
    level = logging.INFO
    if response.status_code >= _SERVER_ERROR:
        level = logging.WARNING
        if route:  # probes have none: /readyz responds with 503 as intended
            SERVER_ERRORS.inc()
    if log.isEnabledFor(level):
        fields = {"method": method, "route": route, "status": response.status_code}
        log.log(level, "answered", extra=fields | {"ms": round(seconds * 1000, 1)} | _context(request))
    return response


@cache  # there are few combinations, and `labels` is slow
def _metrics(method: str, route: str, status: int) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(method, route, str(status)), REQUEST_SECONDS.labels(method, route)


def _context(request: HttpRequest) -> dict[str, Any]:
    """Return the player and the match of a request if they are known without a query."""
    fields: dict[str, Any] = {}
    user = request.__dict__.get("user")
    if type(user) is Player:  # not a lazy user, which would need a query
        fields["player_id"] = user.pk
    if request.resolver_match is not None and "match_id" in request.resolver_match.kwargs:
        fields["match_id"] = request.resolver_match.kwargs["match_id"]
    return fields
