"""Static files and the documentation, served by the web server itself.

URLs of static files contain a hash, so browsers cache them forever. The documentation, at /docs/, is what
`make docs` has built.

WhiteNoise finds the files and sets their headers. Its own middleware would block a thread for every waiting
request of an ASGI server; this one uses a thread for static files only.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final
from wsgiref.headers import Headers

from asgiref.sync import iscoroutinefunction, sync_to_async
from csp.utils import build_policy
from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from whitenoise import WhiteNoise
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

DOCS_PREFIX: Final = "/docs/"
# Answered by the documentation, too: a list of its pages for language models.
_LLMS: Final = "/llms.txt"
_DOCS_MAX_AGE: Final = 600


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    """Storage with hashed file names, which also rewrites imports of JavaScript modules."""

    support_js_module_import_aggregation = True
    # One pass for each link in the longest chain of imports: that of the replay is longer than Django's five.
    max_post_process_passes = 20


@sync_and_async_middleware
def static_files(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Serve requests below STATIC_URL and of files of the documentation; pass all others on."""
    files = WhiteNoiseMiddleware(lambda _: HttpResponse(status=404, content_type="text/plain"))
    docs = _documentation()

    def is_static(request: HttpRequest) -> bool:
        return request.path_info.startswith(files.static_prefix) or request.path_info in docs.files

    def serve(request: HttpRequest) -> HttpResponseBase:
        found = docs.files.get(request.path_info)
        return _buffered(files(request) if found is None else WhiteNoiseMiddleware.serve(found, request))

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


def _documentation() -> WhiteNoise:
    """Return the files of the documentation; none if it has not been built."""
    docs = WhiteNoise(
        None,
        max_age=_DOCS_MAX_AGE,
        allow_all_origins=False,
        add_headers_function=_add_policy,
        index_file=True,
        # Examples are shown, not downloaded.
        mimetypes={".py": "text/plain"},
    )
    root = settings.HAGGIS_DOCS_ROOT
    if (root / "index.html").is_file():
        docs.add_files(root, prefix=DOCS_PREFIX)
        docs.add_file_to_dictionary(_LLMS, str(root / "llms.txt"))
    return docs


def _add_policy(headers: Headers, _path: str, _url: str) -> None:
    headers["Content-Security-Policy"] = build_policy()
    headers["X-Content-Type-Options"] = "nosniff"


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
