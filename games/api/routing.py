"""Path converters, and the middleware that removes a trailing slash."""

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import register_converter
from django.utils.decorators import sync_and_async_middleware

from games.identity.models import USERNAME_PATTERN


class UsernameConverter:
    """What can be a name."""

    regex = USERNAME_PATTERN

    def to_python(self, value: str) -> str:
        """Take it as it is."""
        return value

    def to_url(self, value: str) -> str:
        """Write it as it is."""
        return value


class IdConverter(UsernameConverter):
    """What can be an id: opaque to clients, and short."""

    regex = "[A-Za-z0-9_-]{1,40}"


class SmallIntegerConverter:
    """A number that fits whatever it is compared with, written in one way."""

    regex = "(?:0|[1-9][0-9]{0,5})"

    def to_python(self, value: str) -> int:
        """Read it."""
        return int(value)

    def to_url(self, value: int) -> str:
        """Write it."""
        return str(value)


@cache  # the framework refuses the second time
def register_converters() -> None:
    """Make `<username:...>`, `<id:...>` and `<small:...>` known to routes."""
    register_converter(SmallIntegerConverter, "small")
    register_converter(UsernameConverter, "username")
    register_converter(IdConverter, "id")


PREFIX = "/api/"


@sync_and_async_middleware
def remove_trailing_slash(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
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
