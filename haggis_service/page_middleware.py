"""Middlewares that pages need and answers of the API do not: these pass requests of the API by, or do less.

The API knows who asks by the token alone, so neither session nor message is any affair of its requests; and
every request that acts is one of them. Each class is the framework's own but for that, so that its hooks and
its checks find what they look for. The guard of forms stands among them as it is: it is looked for by name.
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
# JSON loads nothing, and nobody frames it.
_API_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"


def is_api_request(request: HttpRequest) -> bool:
    """Whether a request is for the API, and not for a page."""
    return request.path_info.startswith(API_PREFIX)


class _PagesOnly(MiddlewareMixin):
    """In the way of pages alone."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Let a request of the API go on as it came."""
        if is_api_request(request):
            return self.get_response(request)
        return super().__call__(request)


class PageSessionMiddleware(_PagesOnly, SessionMiddleware):
    """Whose browser it is."""


class PageAuthenticationMiddleware(_PagesOnly, AuthenticationMiddleware):
    """Which operator it is."""


class PageMessageMiddleware(_PagesOnly, MessageMiddleware):
    """What an operator is told on the next page."""


class ApiCorsMiddleware(CorsMiddleware):
    """What pages of other origins may ask; who names no origin is only told that the answer depends on it."""

    def add_response_headers(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Say it."""
        if "HTTP_ORIGIN" in request.META or not is_api_request(request):
            return super().add_response_headers(request, response)
        response.headers["Vary"] = _vary_with_origin(response.headers.get("Vary", ""))
        return response


@lru_cache(_VARY_CACHE_SIZE)
def _vary_with_origin(vary: str) -> str:
    """A list of headers with the origin among them; answers have a handful of them."""
    names = [name for name in vary.split(", ") if name]
    return ", ".join(names if "origin" in map(str.lower, names) or names == ["*"] else [*names, "origin"])


class ContentSecurityPolicyMiddleware(CSPMiddleware):
    """What a page may load; an answer of the API has one policy, which is not put together each time."""

    def process_request(self, request: HttpRequest) -> None:
        """Have a nonce ready for a page."""
        if not is_api_request(request):
            super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Say the policy."""
        if is_api_request(request):
            response.headers.setdefault(HEADER, _API_POLICY)
            return response
        return super().process_response(request, response)
