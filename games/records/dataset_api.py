"""Endpoints of the published records."""

from datetime import UTC, datetime
from typing import ClassVar, Final

from django.http import HttpResponse
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, AccessRule
from games.api.conditional import conditional_response
from games.api.files import FileRenderer, StoredFile, file_response
from games.api.pagination import (
    build_url,
    choice_parameter,
    integer_parameter,
    invalid_parameter,
    paginate_list,
    text_parameter,
)
from games.api.schema.operations import Operation
from games.api.views import ApiView
from games.core.languages import message
from games.gateway.agreement import rule_set_keys
from games.records import operations
from games.records.exports import file_path, find_file, render_file, written_files
from games.records.formats import LINES_MEDIA_TYPE, LinesRenderer
from games.records.models import MatchKind
from games.records.operations import MAX_LINES, MAX_NUMBER
from games.records.published import RecordFilters, RecordPage, records_after

_GZIP: Final = "gzip"


def time_parameter(request: Request, name: str) -> datetime | None:
    """Return a query parameter that is a date or a time; without an offset it is in UTC."""
    text = text_parameter(request, name)
    if text is None:
        return None
    try:
        # A plus sign in a query string means a space.
        moment = datetime.fromisoformat(text.replace(" ", "+"))
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        detail = message("{name} is a date or a time, such as {example}.", name=name, example="2026-10-01")
        raise invalid_parameter(name, detail) from None


class RecordsView(ApiView):
    """The records of public finished matches."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_RECORDS}
    renderer_classes = (LinesRenderer,)

    def get(self, request: Request) -> HttpResponse:
        """Return the next records after the cursor, one a line."""
        filters = RecordFilters(
            since=time_parameter(request, "since"),
            until=time_parameter(request, "until"),
            ruleset=choice_parameter(request, "ruleset", rule_set_keys()),
            players=integer_parameter(request, "players", smallest=2, largest=3),
            kind=choice_parameter(request, "kind", MatchKind.values),
        )
        cursor = integer_parameter(request, "cursor", smallest=0, largest=MAX_NUMBER) or 0
        limit = integer_parameter(request, "limit", smallest=1, largest=MAX_LINES) or MAX_LINES
        page = records_after(cursor, filters, limit=limit)
        numbers = page.numbers
        response = conditional_response(request, *numbers, page.more, build=lambda: _lines(request, page))
        patch_vary_headers(response, ("Authorization", "Accept", "Accept-Encoding"))
        if page.more:
            response.headers["Link"] = f'<{build_url(request, cursor=str(numbers[-1]))}>; rel="next"'
        return response


def _lines(request: Request, page: RecordPage) -> HttpResponse:
    """Return the lines of a page, compressed if the client accepts it: they are stored that way."""
    if _GZIP in request.META.get("HTTP_ACCEPT_ENCODING", ""):
        body, headers = b"".join(page.gzip_chunks()), {"Content-Encoding": _GZIP}
    else:
        body, headers = b"".join(page.lines()), {}
    return HttpResponse(body, content_type=LINES_MEDIA_TYPE, headers=headers)


class ExportsView(ApiView):
    """The files of the data set."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_EXPORTS}

    def get(self, request: Request) -> Response:
        """Return the names first, then the latest months."""
        files = [
            render_file(each, reverse("export", kwargs={"file_name": each.name})) for each in written_files()
        ]
        return Response(paginate_list(request, files))


class ExportView(ApiView):
    """A file of the data set."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.READ_EXPORT}
    renderer_classes = (FileRenderer,)

    def get(self, request: Request, file_name: str) -> HttpResponse:
        """Return the file or a range of it."""
        file = find_file(file_name)
        stored = StoredFile(file_path(file.name), file.sha256, cache_control="public, no-cache")
        return file_response(request, stored)
