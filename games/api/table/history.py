"""The log of a match and its rounds."""

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.authentication import match_shown, viewer
from games.api.conditional import conditionally
from games.api.events.door import Awaited, answer_later, seconds_asked
from games.api.paging import Order, address_with, limit_asked, page, refuse_unreadable
from games.api.parameters import integer_parameter
from games.api.permissions import ANYONE, Needs
from games.api.schema.operation import Operation
from games.api.table import operations
from games.api.view import ApiView
from games.matches.store import MatchRow, read_match
from games.selectors.history import log_after, round_of, rounds_of

LARGEST_VERSION = 2**31 - 1
_FIRST_FIRST = Order(column="number", holds=int, descending=False)


def log(request: Request, match_id: str) -> Response:
    """The entries after `?after=`, oldest first, a page at a time."""
    after = integer_parameter(request, "after", smallest=0, largest=LARGEST_VERSION) or 0
    limit, seconds = limit_asked(request), seconds_asked(request)
    row = match_shown(request, match_id)
    response = conditionally(request, row.id, row.version, build=lambda: _page(request, row, after, limit))
    return past_version(request, response, row, after, seconds)


def past_version(request: Request, response: Response, row: MatchRow, after: int, seconds: int) -> Response:
    """The answer, later if the match has not come past this version yet and still may."""
    if row.version > after or row.finished_at is not None:
        return response
    return answer_later(request, response, Awaited(seconds=seconds, match_id=row.id, version=row.version))


def _page(request: Request, row: MatchRow, after: int, limit: int) -> Response:
    entries = log_after(row, after, limit)
    last = entries[-1]["version"] if entries else after
    return Response(
        {
            "next": address_with(request, after=str(last)) if last < row.version and entries else None,
            "previous": address_with(request, after=str(max(0, after - limit))) if after else None,
            "results": entries,
        }
    )


class RoundsView(ApiView):
    """The rounds of a match."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_ROUNDS}

    def get(self, request: Request, match_id: str) -> Response:
        """Show the rounds, the first one first; those that have ended with their deals and links."""
        refuse_unreadable(request, order=_FIRST_FIRST)
        row = read_match(match_id, viewer(request))

        def build() -> Response:
            rounds, show = rounds_of(row)
            return Response(page(request, rounds, order=_FIRST_FIRST, show=show))

        return conditionally(request, row.id, row.version, build=build)


class RoundView(ApiView):
    """One round of a match."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.READ_ROUND}

    def get(self, request: Request, match_id: str, number: int) -> Response:
        """Show the round; when it has ended, with its deal and its link."""
        row, form = round_of(match_id, number, viewer(request))
        return conditionally(request, row.id, row.version, build=lambda: Response(form))
