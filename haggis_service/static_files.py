"""Static files, served by the web server itself. Their URLs contain a hash, so browsers cache them forever.

WhiteNoise finds the files and sets their headers. Its own middleware would block a thread for every waiting
request of an ASGI server; this one uses a thread for static files only.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    """Storage with hashed file names, which also rewrites imports of JavaScript modules."""

    support_js_module_import_aggregation = True
    # One pass for each link in the longest chain of imports: that of the replay is longer than Django's five.
    max_post_process_passes = 20


@sync_and_async_middleware
def static_files(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Serve requests below STATIC_URL and pass all others on."""
    files = WhiteNoiseMiddleware(lambda _: HttpResponse(status=404, content_type="text/plain"))

    def is_static(request: HttpRequest) -> bool:
        return request.path_info.startswith(files.static_prefix)

    def serve(request: HttpRequest) -> HttpResponseBase:
        return _buffered(files(request))

    if iscoroutinefunction(get_response):

        async def async_middleware(request: HttpRequest) -> HttpResponseBase:
            if is_static(request):
                return await sync_to_async(serve, thread_sensitive=False)(request)
            passed_on: Awaitable[HttpResponseBase] = get_response(request)
            return await passed_on

        return async_middleware

    def sync_middleware(request: HttpRequest) -> HttpResponseBase:
        if is_static(request):
            return serve(request)
        passed_on: HttpResponseBase = get_response(request)
        return passed_on

    return sync_middleware


def _buffered(found: HttpResponseBase) -> HttpResponseBase:
    """Return a response with the whole file: files are small, and WSGI and ASGI stream in different ways."""
    if not isinstance(found, FileResponse):
        return found
    serve = HttpResponse(b"".join(found), status=found.status_code)
    del serve["Content-Type"]
    for name, value in found.items():
        serve[name] = value
    if found.file_to_stream is not None:
        found.file_to_stream.close()
    return serve
