"""Django's middleware with less or no work for API requests.

API requests authenticate with a token, so they need neither sessions nor messages. Each class inherits from
the framework's middleware, because system checks and hooks look for those classes. CsrfViewMiddleware stays
as it is, since Django looks it up by name.
"""

from collections.abc import Awaitable
from functools import lru_cache
from typing import Final

from corsheaders.middleware import CorsMiddleware
from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

_VARY_CACHE_SIZE: Final = 64
API_PREFIX: Final = "/api/v1/"
# JSON loads nothing and is never framed.
_API_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"


def is_api_request(request: HttpRequest) -> bool:
    """Return whether a request is for the API and not for a page."""
    return request.path_info.startswith(API_PREFIX)


class _PagesOnly(MiddlewareMixin):
    """A mixin that skips the middleware for API requests."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Pass an API request on untouched."""
        if is_api_request(request):
            return self.get_response(request)
        return super().__call__(request)


class PageSessionMiddleware(_PagesOnly, SessionMiddleware):
    """Sessions for pages only."""


class PageAuthenticationMiddleware(_PagesOnly, AuthenticationMiddleware):
    """Session authentication for pages only."""


class PageMessageMiddleware(_PagesOnly, MessageMiddleware):
    """Messages for pages only."""


class ApiCorsMiddleware(CorsMiddleware):
    """CORS headers; an API request without an `Origin` header gets `Vary: origin` only."""

    def add_response_headers(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Add the CORS headers."""
        if "HTTP_ORIGIN" in request.META or not is_api_request(request):
            return super().add_response_headers(request, response)
        response.headers["Vary"] = _vary_with_origin(response.headers.get("Vary", ""))
        return response


@lru_cache(_VARY_CACHE_SIZE)
def _vary_with_origin(vary: str) -> str:
    """Return a `Vary` header that includes `origin`. Cached: there are few different ones."""
    names = [name for name in vary.split(", ") if name]
    return ", ".join(names if "origin" in map(str.lower, names) or names == ["*"] else [*names, "origin"])


class ContentSecurityPolicyMiddleware(CSPMiddleware):
    """The content security policy of a page, and a constant one for API responses."""

    def process_request(self, request: HttpRequest) -> None:
        """Prepare a nonce for a page."""
        if not is_api_request(request):
            super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Set the policy."""
        if is_api_request(request):
            response.headers.setdefault(HEADER, _API_POLICY)
            return response
        return super().process_response(request, response)
