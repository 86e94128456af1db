"""Send files: by the proxy if it can read them, else by this process, with ranges and strong ETags."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.http import HttpResponse
from django.utils.http import parse_etags
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from games.api.conditional import NOT_MODIFIED
from games.core.errors import Problem

OK: Final = 200
PARTIAL_CONTENT: Final = 206
_RANGE: Final = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.ASCII)


FILE_MEDIA_TYPE: Final = "application/octet-stream"


class FileRenderer(BaseRenderer):
    """A file to download, for content negotiation. Views read it, or leave it to the proxy."""

    media_type = FILE_MEDIA_TYPE
    format = "file"
    charset = None

    def render(
        self,
        data: Any,  # noqa: ANN401, ARG002 -- the signature of REST framework
        accepted_media_type: str | None = None,  # noqa: ARG002 -- as above
        renderer_context: Mapping[str, Any] | None = None,  # noqa: ARG002 -- as above
    ) -> bytes:
        """Return an empty body."""
        return b""


class StoredFile(NamedTuple):
    """A file in the folder of the exports, with what is known of its content."""

    path: Path
    sha256: str
    cache_control: str


def file_response(request: Request, file: StoredFile) -> HttpResponse:
    """Return a file, or the range of it that the request asks for.

    With `HAGGIS_EXPORTS_ACCEL` the proxy sends it (`X-Accel-Redirect`), so that a slow client occupies no
    thread. Without a proxy, as in `make run`, the content passes through memory.
    """
    tag = f'"{file.sha256}"'
    headers = {
        "ETag": tag,
        "Accept-Ranges": "bytes",
        "Cache-Control": file.cache_control,
        "Content-Disposition": f'attachment; filename="{file.path.name}"',
    }
    if tag in parse_etags(request.META.get("HTTP_IF_NONE_MATCH", "")):
        return HttpResponse(status=NOT_MODIFIED, headers=headers)
    if settings.HAGGIS_EXPORTS_ACCEL:
        inside = file.path.relative_to(settings.HAGGIS_EXPORTS_DIR)
        accel = {"X-Accel-Redirect": f"{settings.HAGGIS_EXPORTS_ACCEL}{inside}"}
        return HttpResponse(content_type=FILE_MEDIA_TYPE, headers=headers | accel)
    try:
        content = file.path.open("rb")
    except FileNotFoundError:
        raise Problem("not_found") from None
    with content:
        size = file.path.stat().st_size
        wanted = _requested_range(request, tag, size)
        if wanted is None:
            return HttpResponse(content.read(), content_type=FILE_MEDIA_TYPE, headers=headers)
        content.seek(wanted.start)
        part = content.read(len(wanted))
    headers["Content-Range"] = f"bytes {wanted.start}-{wanted.stop - 1}/{size}"
    return HttpResponse(part, status=PARTIAL_CONTENT, content_type=FILE_MEDIA_TYPE, headers=headers)


def _requested_range(request: Request, tag: str, size: int) -> range | None:
    """Return the requested range, or `None` for the whole file: also for a range of an older version."""
    if request.META.get("HTTP_IF_RANGE", tag) != tag:
        return None
    return parse_range(request.META.get("HTTP_RANGE", ""), size)


def parse_range(header: str, size: int) -> range | None:
    """Return a single satisfiable range of bytes, or `None`, since the header may be ignored.

    >>> parse_range("bytes=2-", 10), parse_range("bytes=-3", 10), parse_range("bytes=0-99", 10)
    (range(2, 10), range(7, 10), range(0, 10))
    >>> parse_range("bytes=10-", 10), parse_range("bytes=0-1,4-5", 10)
    (None, None)
    """
    found = _RANGE.fullmatch(header)
    if found is None or found.group(1, 2) == ("", ""):
        return None
    first, last = found.group(1, 2)
    if not first:
        wanted = range(max(0, size - int(last)), size)
    else:
        wanted = range(int(first), min(size, int(last) + 1) if last else size)
    return wanted or None
