"""A slash at the end of an address of the API changes nothing: it is taken away before routing."""

from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

PREFIX = "/api/"


@sync_and_async_middleware
def optional_slash(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Let `/api/v1/me/` be `/api/v1/me`, without a redirect, which would lose the body of a POST."""
    if iscoroutinefunction(get_response):

        async def later(request: HttpRequest) -> HttpResponseBase:
            _without_slash(request)
            answer: Awaitable[HttpResponseBase] = get_response(request)
            return await answer

        return later

    def now(request: HttpRequest) -> HttpResponseBase:
        _without_slash(request)
        answer: HttpResponseBase = get_response(request)
        return answer

    return now


def _without_slash(request: HttpRequest) -> None:
    if request.path_info.startswith(PREFIX) and request.path_info.endswith("/"):
        request.path_info = request.path_info[:-1]
        request.path = request.path[:-1]
