"""Health checks and metrics: `/healthz`, `/readyz` and `/metrics`.

A middleware answers them before all others, because monitoring sends neither the public host name nor HTTPS.
"""

import hmac
import ipaddress
import json
from collections.abc import Awaitable, Callable
from typing import Any, Final

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from games.core.addresses import client_address, passed_unknown_proxy
from haggis_service.telemetry.metrics import CONTENT_TYPE, metrics
from haggis_service.telemetry.readiness import readiness

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
View = Callable[[HttpRequest], HttpResponse]


def healthz(_: HttpRequest) -> HttpResponse:
    """Report that the process answers, even if other servers are down."""
    return _json_response({"status": "ok"})


def readyz(_: HttpRequest) -> HttpResponse:
    """Report whether the whole service works, and if not, why."""
    ready, report = readiness()
    return _json_response(report, 200 if ready else 503)


def metrics_view(request: HttpRequest) -> HttpResponse:
    """Return the metrics to operators."""
    if not is_operator(request):
        return _json_response({"status": "for operators only"}, 403)
    return _response(metrics(), CONTENT_TYPE, 200)


PROBES: Final[dict[str, View]] = {"/healthz": healthz, "/readyz": readyz, "/metrics": metrics_view}


@sync_and_async_middleware
def probes(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Answer the probes and pass all other requests on."""
    if iscoroutinefunction(get_response):

        async def async_middleware(request: HttpRequest) -> HttpResponseBase:
            if request.path_info in PROBES:
                return await sync_to_async(_answer_in_thread)(request)
            passed_on: Awaitable[HttpResponseBase] = get_response(request)
            return await passed_on

        return async_middleware

    def sync_middleware(request: HttpRequest) -> HttpResponseBase:
        if request.path_info in PROBES:
            return _answer(request)
        passed_on: HttpResponseBase = get_response(request)
        return passed_on

    return sync_middleware


def _answer_in_thread(request: HttpRequest) -> HttpResponse:
    """Answer in a thread of its own and close the thread's database connection."""
    try:
        return _answer(request)
    finally:
        if not connection.in_atomic_block:
            connection.close()


def _answer(request: HttpRequest) -> HttpResponse:
    if request.method not in {"GET", "HEAD"}:
        return _json_response({"status": "only GET"}, 405)
    return PROBES[request.path_info](request)


def is_operator(request: HttpRequest) -> bool:
    """Return whether a request has the metrics token or comes from an allowed network."""
    token: str = settings.HAGGIS_METRICS_TOKEN
    authorization = request.headers.get("Authorization", "")
    if token and hmac.compare_digest(authorization.encode(), f"Bearer {token}".encode()):
        return True
    if passed_unknown_proxy(request):
        return False
    return _is_allowed(client_address(request), settings.HAGGIS_METRICS_ADDRESSES)


def _is_allowed(address: str, networks: list[str]) -> bool:
    try:
        network = ipaddress.ip_network(address)
    except ValueError:
        return False
    return any(_is_subnet(network, ipaddress.ip_network(each)) for each in networks)


def _is_subnet(network: Network, allowed: Network) -> bool:
    """Return whether a network is a subnet of another of the same version."""
    return network.version == allowed.version and network[0] in allowed and network[-1] in allowed


def _json_response(report: dict[str, Any], status: int = 200) -> HttpResponse:
    return _response(json.dumps(report).encode(), "application/json", status)


def _response(body: bytes, content_type: str, status: int) -> HttpResponse:
    return HttpResponse(body, content_type=content_type, status=status, headers={"Cache-Control": "no-store"})
