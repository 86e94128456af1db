"""`GET /matches/{id}/events`: the log of a match as it is written."""

from typing import ClassVar, Final

from django.http import HttpResponse
from rest_framework.request import Request

from games.api.authentication import viewer
from games.api.events.door import enter
from games.api.events.forms import TABLE, Lines, ServerSent, frame, written
from games.api.events.openings import OfMatch, opened, reader_of
from games.api.events.operations import LARGEST_VERSION, WATCH_MATCH
from games.api.events.tickets import TokenOrTicket
from games.api.parameters import integer_parameter, whole_number
from games.api.permissions import ANYONE, Needs
from games.api.schema.operation import Operation
from games.api.view import ApiView
from games.matches.store import MatchRow, read_match
from games.models import MatchStatus
from games.selectors.table_form import table_form

# Whoever has missed more than this is given the table instead.
MOST_MISSED: Final = 1000
_OVER: Final = frozenset({MatchStatus.FINISHED, MatchStatus.CANCELLED})
_NOTHING_MORE: Final = 204


class MatchEventsView(ApiView):
    """The stream of one match."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": WATCH_MATCH}
    authentication_classes = (TokenOrTicket,)
    renderer_classes = (ServerSent, Lines)

    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Give the table and then every entry; or only the entries after the last one that somebody has."""
        after = version_asked(request)
        row = read_match(match_id, viewer(request))
        if _is_done(request, row, after):
            return HttpResponse(status=_NOTHING_MORE)
        enter(request)
        return opened(_opening(request, row, after))


def version_asked(request: Request) -> int | None:
    """The version that the client has: `Last-Event-ID`, which browsers send by themselves, else `?after=`."""
    header = request.META.get("HTTP_LAST_EVENT_ID")
    if header:
        return whole_number(header, "Last-Event-ID", smallest=0, largest=LARGEST_VERSION)
    return integer_parameter(request, "after", smallest=0, largest=LARGEST_VERSION)


def _is_done(request: Request, row: MatchRow, after: int | None) -> bool:
    """Whether a browser comes back for more where there is none: 204 is what makes it stop."""
    return "HTTP_LAST_EVENT_ID" in request.META and row.status in _OVER and after == row.version


def _opening(request: Request, row: MatchRow, after: int | None) -> OfMatch:
    reader, version = reader_of(request), row.version
    over, first = row.status in _OVER, b""
    if after is None or not 0 <= version - after <= MOST_MISSED:
        first = frame(reader.form, TABLE, version, written(table_form(row, viewer(request))))
        after = version
    return OfMatch(
        reader=reader,
        match_id=row.id,
        version=version,
        after=after,
        over=over and after == version,
        first=first,
    )
