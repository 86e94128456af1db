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
    """Matches a username."""

    regex = USERNAME_PATTERN

    def to_python(self, value: str) -> str:
        """Return the value unchanged."""
        return value

    def to_url(self, value: str) -> str:
        """Return the value unchanged."""
        return value


class IdConverter(UsernameConverter):
    """Matches an opaque id."""

    regex = "[A-Za-z0-9_-]{1,40}"


class SmallIntegerConverter:
    """Matches a canonical decimal number that fits into every integer column."""

    regex = "(?:0|[1-9][0-9]{0,5})"

    def to_python(self, value: str) -> int:
        """Parse the number."""
        return int(value)

    def to_url(self, value: int) -> str:
        """Format the number."""
        return str(value)


@cache  # Django rejects a second registration
def register_converters() -> None:
    """Register the path converters `<username:...>`, `<id:...>` and `<small:...>`."""
    register_converter(SmallIntegerConverter, "small")
    register_converter(UsernameConverter, "username")
    register_converter(IdConverter, "id")


PREFIX = "/api/"


@sync_and_async_middleware
def remove_trailing_slash(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Serve `/api/v1/me/` as `/api/v1/me` without a redirect, which would lose the body of a POST."""
    if iscoroutinefunction(get_response):

        async def async_middleware(request: HttpRequest) -> HttpResponseBase:
            _strip_slash(request)
            response: Awaitable[HttpResponseBase] = get_response(request)
            return await response

        return async_middleware

    def middleware(request: HttpRequest) -> HttpResponseBase:
        _strip_slash(request)
        response: HttpResponseBase = get_response(request)
        return response

    return middleware


def _strip_slash(request: HttpRequest) -> None:
    if request.path_info.startswith(PREFIX) and request.path_info.endswith("/"):
        request.path_info = request.path_info[:-1]
        request.path = request.path[:-1]
