"""The middleware that serves the API."""

from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Any, Final, cast

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from corsheaders.middleware import CorsMiddleware
from csp.constants import HEADER as POLICY_HEADER
from django.conf import settings
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.security import SecurityMiddleware
from django.urls import resolve

View = Callable[[HttpRequest], HttpResponse]

PREFIX: Final = "/api/"
# JSON loads nothing and is never framed.
_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"
_VARY_CACHE_SIZE: Final = 64


class ApiMiddleware:
    """Serve the requests below `/api/`. The middleware after this one is for pages and does not see them.

    API requests authenticate with a token, so they need no session, no CSRF check and no messages. Only
    Django's SecurityMiddleware and, for requests of other origins, CorsMiddleware run around their views.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self._get_response: Final = get_response
        self._is_async: Final = iscoroutinefunction(get_response)
        if self._is_async:
            markcoroutinefunction(self)
        self._view: Final = cast("View", convert_exception_to_response(_call_view))
        self._view_with_cors: Final = cast("View", CorsMiddleware(self._view))
        self._secure_view: Final = cast("View", SecurityMiddleware(self._view_with_headers))

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Serve an API request, ignoring a trailing slash; pass any other request on."""
        if not request.path_info.startswith(PREFIX):
            return self._get_response(request)  # type: ignore[no-any-return]
        if request.path_info.endswith("/"):  # a redirect would lose the body of a POST
            request.path_info, request.path = request.path_info[:-1], request.path[:-1]
        return sync_to_async(self._secure_view)(request) if self._is_async else self._secure_view(request)

    def _view_with_headers(self, request: HttpRequest) -> HttpResponse:
        """Return the response of the view with the headers of all API responses."""
        if "HTTP_ORIGIN" in request.META:
            response = self._view_with_cors(request)
        else:
            response = self._view(request)
            response.headers["Vary"] = _vary_with_origin(response.headers.get("Vary", ""))
        response.headers.setdefault(POLICY_HEADER, _POLICY)
        response.headers.setdefault("X-Frame-Options", settings.X_FRAME_OPTIONS)
        if not response.streaming:
            response.headers.setdefault("Content-Length", str(len(response.content)))
        return response


def _call_view(request: HttpRequest) -> HttpResponse:
    """Return the rendered response of the view for the URL."""
    request.get_host()  # raises if the host is not allowed
    found = request.resolver_match = resolve(request.path_info)
    response: Any = found.func(request, *found.args, **found.kwargs)
    rendered: HttpResponse = response.render() if hasattr(response, "render") else response
    return rendered


@lru_cache(_VARY_CACHE_SIZE)
def _vary_with_origin(vary: str) -> str:
    """Return a `Vary` header that includes `origin`. Cached: there are few different ones."""
    names = [name for name in vary.split(", ") if name]
    return ", ".join(names if "origin" in map(str.lower, names) or names == ["*"] else [*names, "origin"])
