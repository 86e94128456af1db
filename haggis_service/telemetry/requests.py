"""Request ids, the access log and request metrics.

A log line has the route and never the URL, which may contain a ticket or the token of a mail. A valid request
id of the client or the proxy is reused; the response returns the id.
"""

import logging
import re
import uuid
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any, Final

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from structlog.contextvars import bind_contextvars, bound_contextvars, reset_contextvars

from games.identity.models import Player
from haggis_service.telemetry.request_metrics import count_request

HEADER: Final = "X-Request-ID"
_VALID_ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
_SERVER_ERROR: Final = 500

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
    given = request.META.get("HTTP_X_REQUEST_ID", "")
    return given if _VALID_ID.fullmatch(given) else uuid.uuid4().hex


def _log_response(
    request: HttpRequest, response: HttpResponseBase, request_id: str, seconds: float
) -> HttpResponseBase:
    response[HEADER] = request_id
    resolved = request.resolver_match
    method = request.method or ""
    route = resolved.route if resolved is not None else ""
    count_request(method, route, response.status_code, seconds)
    level = logging.WARNING if response.status_code >= _SERVER_ERROR else logging.INFO
    if log.isEnabledFor(level):
        fields = {"method": method, "route": route, "status": response.status_code}
        log.log(level, "answered", extra=fields | {"ms": round(seconds * 1000, 1)} | _context(request))
    return response


def _context(request: HttpRequest) -> dict[str, Any]:
    """Return the player and the match of a request if they are known without a query."""
    fields: dict[str, Any] = {}
    user = request.__dict__.get("user")
    if type(user) is Player:  # not a lazy user, which would need a query
        fields["player_id"] = user.pk
    if request.resolver_match is not None and "match_id" in request.resolver_match.kwargs:
        fields["match_id"] = request.resolver_match.kwargs["match_id"]
    return fields
