"""The list of matches: newest first, a page at a time, nothing counted, whatever is stored."""

from typing import Any, ClassVar, Final

from django.contrib import admin
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, path
from unfold.decorators import display

from games.admin.filters import PlayersFilter, RuleSetFilter
from games.admin.looking import LookedAt
from games.admin.matches.acting import act_on_match
from games.admin.matches.page import match_page
from games.admin.site import site
from games.models import Match, MatchStatus, Seat
from games.selectors.oversight import matches_found

_COLOURS: Final = {
    MatchStatus.OPEN: "info",
    MatchStatus.ACTIVE: "success",
    MatchStatus.PAUSED: "warning",
    MatchStatus.CANCELLED: "danger",
}


def _holder(seat: Seat) -> str:
    if seat.level:
        return f"AI {seat.level}"
    return seat.state if seat.player is None else seat.player.username


@admin.register(Match, site=site)
class MatchAdmin(LookedAt):
    """Matches are looked at here, and changed by deeds with a reason, never by a form."""

    list_display = ("id", "shown_status", "ruleset", "shown_seats", "version", "created_at", "deadline")
    list_filter: ClassVar = ["status", "visibility", RuleSetFilter, PlayersFilter, "rated"]
    search_fields = ("id",)
    search_help_text = "The beginning of an id, or a player's name"

    @display(description="status", label={str(status): colour for status, colour in _COLOURS.items()})
    def shown_status(self, match: Match) -> str:
        """Its status, in colour."""
        return match.status

    @display(description="seats")
    def shown_seats(self, match: Match) -> str:
        """Who sits there."""
        return ", ".join(_holder(seat) for seat in match.seats.all())

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Read the seats of a page of matches in one query more."""
        seats = Seat.objects.select_related("player").order_by("number")
        matches: QuerySet[Any] = super().get_queryset(request)
        return matches.prefetch_related(Prefetch("seats", seats))

    def get_search_results(
        self,
        request: HttpRequest,  # noqa: ARG002 -- as Django calls it
        queryset: QuerySet[Any],
        search_term: str,
    ) -> tuple[QuerySet[Any], bool]:
        """By id or by player, on indexes."""
        return matches_found(queryset, search_term), False

    def get_urls(self) -> list[URLPattern]:
        """The page of a match is ours; beside it are the pages of the deeds."""
        wrap = self.admin_site.admin_view
        return [
            path("<slug:match_id>/change/", wrap(match_page), name="games_match_change"),
            path("<slug:match_id>/<slug:deed>/", wrap(act_on_match), name="games_match_deed"),
            *(each for each in super().get_urls() if each.name == "games_match_changelist"),
        ]
