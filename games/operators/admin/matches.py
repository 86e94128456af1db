"""Admin pages of matches and the actions on them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.decorators import permission_required
from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from unfold.decorators import display
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget

from games.core.errors import Problem
from games.identity.models import Player
from games.matches.models.match import Match, MatchStatus, Seat
from games.matches.queries import IN_PLAY, log_before, render_rounds, render_table
from games.matches.store import MatchRow
from games.operators import services
from games.operators.admin.base import (
    PlayersFilter,
    ReadOnlyAdmin,
    ReasonForm,
    RuleSetFilter,
    get_match_or_404,
    require_operator,
)
from games.operators.admin.site import site
from games.operators.models import OperatorAction
from games.operators.queries import search_matches
from games.operators.services import reveal_hands

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
class MatchAdmin(ReadOnlyAdmin):
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
        return search_matches(queryset, search_term), False

    def get_urls(self) -> list[URLPattern]:
        """The page of a match is ours; beside it are the pages of the deeds."""
        wrap = self.admin_site.admin_view
        return [
            path("<slug:match_id>/change/", wrap(match_page), name="games_match_change"),
            path("<slug:match_id>/<slug:deed>/", wrap(act_on_match), name="games_match_deed"),
            *(each for each in super().get_urls() if each.name == "games_match_changelist"),
        ]


ENTRIES_A_PAGE: Final = 40


@permission_required("games.view_match", raise_exception=True)
def match_page(request: HttpRequest, match_id: str) -> HttpResponse:
    """Look at a match. Hands are shown only when that is asked for, with a reason, once."""
    row = get_match_or_404(match_id)
    form, revealed = ReasonForm(), None
    if request.method == "POST":
        form = ReasonForm(request.POST)
        if form.is_valid():
            revealed = _reveal(request, row, form)
    context = {**_shown(request, row), "form": form, "revealed": revealed}
    return render(request, "operators/match.html", context)


def _reveal(request: HttpRequest, row: MatchRow, form: ReasonForm) -> dict[str, Any] | None:
    """The hands; None, with the reason on the form, where they may not be looked at."""
    operator = require_operator(request)
    if not operator.has_perm("games.reveal_hands"):
        form.add_error(None, "You may not look into hands.")
        return None
    try:
        return reveal_hands(operator=operator, match_id=row.id, reason=form.cleaned_data["reason"])
    except Problem as refused:
        form.add_error(None, refused.detail)
        return None


def _shown(request: HttpRequest, row: MatchRow) -> dict[str, Any]:
    operator = require_operator(request)
    before = _before(request, row.version)
    entries = log_before(row, before, ENTRIES_A_PAGE)
    earlier = entries[-1]["version"] if entries and entries[-1]["version"] > 1 else None
    return {
        **site.each_context(request),
        "title": f"Match {row.id}",
        "table": render_table(row, None),
        "row": row,
        "match": row,
        "entries": entries,
        "earlier": earlier,
        "rounds": [each for each in render_rounds(row) if each["hands"] is not None],
        "deeds": [deed for deed in MATCH_ACTIONS.values() if deed.is_for(row, operator)],
        "done": OperatorAction.objects.filter(match=row.id).select_related("operator").order_by("-pk")[:50],
        "may_reveal": row.status in IN_PLAY and operator.has_perm("games.reveal_hands"),
    }


def _before(request: HttpRequest, version: int) -> int:
    asked = request.GET.get("before", "")
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 10 else version + 1  # noqa: PLR2004 -- digits of a version


_DAY: Final = 24 * 3600
_MAX_EXTENSION: Final = 30 * _DAY


class MatchActionForm(ReasonForm):
    """Why it is done to this match."""

    def __init__(self, row: MatchRow, *args: Any, **parts: Any) -> None:  # noqa: ANN401 -- as Django's forms
        super().__init__(*args, **parts)
        self.row = row


class ExtendForm(MatchActionForm):
    """Why, and by how much."""

    seconds = forms.IntegerField(
        min_value=60, max_value=_MAX_EXTENSION, initial=_DAY, widget=UnfoldAdminIntegerFieldWidget
    )


class ReplaceForm(MatchActionForm):
    """Why, and whose seat."""

    seat = forms.TypedChoiceField(coerce=int, widget=UnfoldAdminSelectWidget)

    def __init__(self, row: MatchRow, *args: Any, **parts: Any) -> None:  # noqa: ANN401 -- as above
        super().__init__(row, *args, **parts)
        held = [seat for seat in row.seats if seat.username and not seat.is_automatic]
        seats: Any = self.fields["seat"]
        seats.choices = [(seat.number, f"{seat.number}: {seat.username}") for seat in held]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchAction:
    """One thing that may be done. `does` says to the operator what will happen."""

    key: str
    label: str
    does: str
    statuses: frozenset[str]
    act: Callable[..., None]
    form: type[MatchActionForm] = MatchActionForm
    final: bool = False
    permission: str = field(default="games.operate_matches")

    def is_for(self, row: MatchRow, operator: Player) -> bool:
        """Whether this operator may do it to this match now."""
        return row.status in self.statuses and operator.has_perm(self.permission)


_ACTIVE: Final = frozenset({MatchStatus.ACTIVE})
_PLAYED: Final = frozenset({MatchStatus.ACTIVE, MatchStatus.PAUSED})

MATCH_ACTIONS: Final = {
    each.key: each
    for each in (
        MatchAction(
            key="cancel",
            label="Cancel",
            does="A match that has not begun is called off.",
            statuses=frozenset({MatchStatus.OPEN}),
            act=services.cancel_open_match,
            final=True,
        ),
        MatchAction(
            key="pause",
            label="Pause",
            does="The clock stands still until somebody resumes the match, or the pause has lasted too long.",
            statuses=_ACTIVE,
            act=services.pause_match,
        ),
        MatchAction(
            key="resume",
            label="Resume",
            does="A paused match goes on; the turn has what was left of it.",
            statuses=frozenset({MatchStatus.PAUSED}),
            act=services.resume_match,
        ),
        MatchAction(
            key="extend",
            label="Extend",
            does="Whoever is to act has so much more time.",
            statuses=_ACTIVE,
            act=services.extend_turn,
            form=ExtendForm,
        ),
        MatchAction(
            key="replace",
            label="Replace a seat",
            does="A caretaker plays for somebody, who can take the seat back.",
            statuses=_PLAYED,
            act=services.replace_seat,
            form=ReplaceForm,
        ),
        MatchAction(
            key="annul",
            label="Annul",
            does="The match ends without a winner; the round that runs is laid open and not scored.",
            statuses=_PLAYED,
            act=services.annul_match,
            final=True,
        ),
    )
}


def act_on_match(request: HttpRequest, match_id: str, deed: str) -> HttpResponse:
    """Ask for the reason, then do it; a deed that is not for this operator or this match is not there."""
    row = get_match_or_404(match_id)
    wanted = MATCH_ACTIONS.get(deed)
    if wanted is None or not wanted.is_for(row, require_operator(request)):
        raise Http404
    form = wanted.form(row, request.POST or None)
    if form.is_valid() and _done(request, row, wanted, form):
        messages.success(request, f"{wanted.label}: done.")
        return redirect("admin:games_match_change", match_id)
    context = {
        **site.each_context(request),
        "title": f"{wanted.label}: {match_id}",
        "match": row,
        "deed": wanted,
        "form": form,
    }
    return render(request, "operators/deed.html", context)


def _done(request: HttpRequest, row: MatchRow, deed: MatchAction, form: MatchActionForm) -> bool:
    try:
        deed.act(operator=require_operator(request), match_id=row.id, **form.cleaned_data)
    except Problem as refused:
        form.add_error(None, refused.detail)
        return False
    return True
