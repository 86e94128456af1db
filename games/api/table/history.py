"""The log of a match and its rounds."""

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.authentication import viewer
from games.api.conditional import conditionally
from games.api.paging import Order, limit_asked, page
from games.api.parameters import integer_parameter
from games.api.permissions import ANYONE, Needs
from games.api.view import ApiView
from games.selectors.history import log_after, round_of, rounds_of
from games.selectors.matches import MatchRow, read_match

_LARGEST_VERSION = 2**31 - 1
_FIRST_FIRST = Order(column="number", holds=int, descending=False)


def log(request: Request, match_id: str) -> Response:
    """The entries after `?after=`, oldest first, a page at a time."""
    after = integer_parameter(request, "after", smallest=0, largest=_LARGEST_VERSION) or 0
    limit = limit_asked(request)
    row = read_match(match_id, viewer(request))
    return conditionally(
        request, row.match.pk, row.match.version, build=lambda: _page(request, row, after, limit)
    )


def _page(request: Request, row: MatchRow, after: int, limit: int) -> Response:
    entries = log_after(row, after, limit)
    last = entries[-1]["version"] if entries else after
    return Response(
        {
            "next": _address(request, last) if last < row.match.version and entries else None,
            "previous": _address(request, max(0, after - limit)) if after else None,
            "results": entries,
        }
    )


def _address(request: Request, after: int) -> str:
    query = request.GET.copy()
    query["after"] = str(after)
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")


class RoundsView(ApiView):
    """The rounds of a match."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}

    def get(self, request: Request, match_id: str) -> Response:
        """Show the rounds, the first one first; those that have ended with their deals and links."""
        row = read_match(match_id, viewer(request))

        def build() -> Response:
            rounds, show = rounds_of(row)
            return Response(page(request, rounds, order=_FIRST_FIRST, show=show))

        return conditionally(request, row.match.pk, row.match.version, build=build)


class RoundView(ApiView):
    """One round of a match."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}

    def get(self, request: Request, match_id: str, number: int) -> Response:
        """Show the round; when it has ended, with its deal and its link."""
        row, form = round_of(match_id, number, viewer(request))
        return conditionally(request, row.match.pk, row.match.version, build=lambda: Response(form))
