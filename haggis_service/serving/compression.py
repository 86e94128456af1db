"""Compress responses where no proxy does, as in `make run`. In production nginx compresses them.

Streams are not compressed: each of their lines has to arrive at once.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.decorators import sync_and_async_middleware

# Larger responses are compressed in a thread, so that they do not delay the event loop.
_LARGE_BYTES: Final = 64 * 1024

_gzip: Final = GZipMiddleware(lambda _: HttpResponse())


@sync_and_async_middleware
def compress(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Compress responses with gzip if the client accepts it, with Django's middleware."""
    if iscoroutinefunction(get_response):

        async def async_middleware(request: HttpRequest) -> HttpResponseBase:
            answer: Awaitable[HttpResponseBase] = get_response(request)
            response = await answer
            if isinstance(response, HttpResponse) and len(response.content) > _LARGE_BYTES:
                return await sync_to_async(_compressed, thread_sensitive=False)(request, response)
            return _compressed(request, response)

        return async_middleware

    def sync_middleware(request: HttpRequest) -> HttpResponseBase:
        return _compressed(request, get_response(request))

    return sync_middleware


def _compressed(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    return _gzip.process_response(request, response) if isinstance(response, HttpResponse) else response
