"""Admin pages of matches and the actions on them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.decorators import permission_required
from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from unfold.decorators import display
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget

from games.ai.attempts import attempts_of_match, count_by_entry
from games.core.errors import Problem
from games.gateway.documents import RevealedHands
from games.identity.models import Player
from games.matches.models.match import Match, MatchStatus, Seat
from games.matches.queries import IN_PLAY, log_before, render_rounds, render_table
from games.matches.store import MatchRow
from games.operators import services
from games.operators.admin.base import (
    AdminAction,
    PlayersFilter,
    ReasonForm,
    RuleSetFilter,
    SearchableAdmin,
    get_match_or_404,
    perform_action,
    require_operator,
)
from games.operators.admin.site import site
from games.operators.models import OperatorAction
from games.operators.proposals import (
    approve_annulment,
    find_open_proposal,
    propose_annulment,
    reject_annulment,
)
from games.operators.search import search_matches
from games.operators.services import reveal_hands
from games.operators.text import describe_clock, describe_left, describe_seconds, describe_timeouts
from games.reports.models import Report

_STATUS_COLOURS: Final = {
    MatchStatus.OPEN: "info",
    MatchStatus.ACTIVE: "success",
    MatchStatus.PAUSED: "warning",
    MatchStatus.CANCELLED: "danger",
}


def _occupant(seat: Seat) -> str:
    if seat.level:
        return f"AI {seat.level}"
    return seat.state if seat.player is None else seat.player.username


@admin.register(Match, site=site)
class MatchAdmin(SearchableAdmin):
    """The list of matches. Matches are changed only by actions with a reason."""

    list_display = (
        "id",
        "status_label",
        "ruleset",
        "seats_label",
        "clock_label",
        "version",
        "created_at",
        "deadline",
    )
    list_filter: ClassVar = ["status", "visibility", RuleSetFilter, PlayersFilter, "rated"]
    search_fields = ("id",)
    search_help_text = "Beginning of an ID, name of a player, or link to a match or player"
    search = staticmethod(search_matches)

    @display(description="status", label={str(status): colour for status, colour in _STATUS_COLOURS.items()})
    def status_label(self, match: Match) -> str:
        """Return the status, shown as a coloured label."""
        return match.status

    @display(description="clock")
    def clock_label(self, match: Match) -> str:
        """Return the clock in words."""
        return describe_clock(match)

    @display(description="seats")
    def seats_label(self, match: Match) -> str:
        """Return the occupants of the seats."""
        return ", ".join(_occupant(seat) for seat in match.seats.all())

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Prefetch the seats with their players."""
        seats = Seat.objects.select_related("player").order_by("number")
        matches: QuerySet[Any] = super().get_queryset(request)
        return matches.prefetch_related(Prefetch("seats", seats))

    def get_urls(self) -> list[URLPattern]:
        """Replace the change page by our own and add the pages of the actions."""
        wrap = self.admin_site.admin_view
        return [
            path("<slug:match_id>/change/", wrap(match_page), name="games_match_change"),
            path("<slug:match_id>/<slug:action_key>/", wrap(act_on_match), name="games_match_action"),
            *(each for each in super().get_urls() if each.name == "games_match_changelist"),
        ]


LOG_PAGE_SIZE: Final = 40


@permission_required("games.view_match", raise_exception=True)
def match_page(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a match. A POST with a reason reveals the hands in this one response."""
    row = get_match_or_404(match_id)
    form, revealed = ReasonForm(), None
    if request.method == "POST":
        form = ReasonForm(request.POST)
        if form.is_valid():
            revealed = _reveal(request, row, form)
    context = {**_context(request, row), "form": form, "revealed": revealed}
    return render(request, "operators/match.html", context)


def _reveal(request: HttpRequest, row: MatchRow, form: ReasonForm) -> RevealedHands | None:
    """Return the hands; if they may not be revealed, add an error to the form and return None."""
    operator = require_operator(request)
    if not operator.has_perm("games.reveal_hands"):
        form.add_error(None, "You do not have permission to reveal hands.")
        return None
    try:
        return reveal_hands(operator=operator, match_id=row.id, reason=form.cleaned_data["reason"])
    except Problem as problem:
        form.add_error(None, problem.detail)
        return None


def _context(request: HttpRequest, row: MatchRow) -> dict[str, Any]:
    operator = require_operator(request)
    before = _before(request, row.version)
    entries = log_before(row, before, LOG_PAGE_SIZE)
    attempts = attempts_of_match(row.id)
    earlier = entries[-1]["version"] if entries and entries[-1]["version"] > 1 else None
    return {
        **site.each_context(request),
        "title": f"Match {row.id}",
        "table": render_table(row, None),
        "row": row,
        "match": row,
        "entries": entries,
        "earlier": earlier,
        "site_address": settings.HAGGIS_SITE_ADDRESS,
        "banks": [describe_seconds(seat.time_bank_left) for seat in row.seats],
        "clock": describe_clock(row),
        "timeouts": describe_timeouts(row),
        "left": "" if row.deadline is None else describe_left(row.deadline - row.now),
        "proposal": find_open_proposal(row.id),
        "reports": Report.objects.filter(match_id=row.id).select_related("player").order_by("-pk")[:20],
        "attempts": attempts,
        "attempts_by_entry": count_by_entry(attempts),
        "may_retry": MATCH_ACTIONS["retry-ai"].is_allowed(row, operator),
        "rounds": [each for each in render_rounds(row) if each["hands"] is not None],
        "actions": [action for action in MATCH_ACTIONS.values() if action.is_allowed(row, operator)],
        "audit_log": OperatorAction.objects.filter(match=row.id)
        .select_related("operator")
        .order_by("-pk")[:50],
        "may_reveal": row.status in IN_PLAY and operator.has_perm("games.reveal_hands"),
    }


def _before(request: HttpRequest, version: int) -> int:
    value = request.GET.get("before", "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else version + 1  # noqa: PLR2004 -- digits of a version


_DAY: Final = 24 * 3600
_MAX_EXTENSION: Final = 30 * _DAY


class MatchActionForm(ReasonForm):
    """A form for the reason of an action on a match."""

    def __init__(self, row: MatchRow, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 -- as Django's forms
        super().__init__(*args, **kwargs)
        self.row = row


class ExtendForm(MatchActionForm):
    """A form for the reason and the number of seconds."""

    seconds = forms.IntegerField(
        min_value=60, max_value=_MAX_EXTENSION, initial=_DAY, widget=UnfoldAdminIntegerFieldWidget
    )


class ReplaceForm(MatchActionForm):
    """A form for the reason and the seat."""

    seat = forms.TypedChoiceField(coerce=int, widget=UnfoldAdminSelectWidget)

    def __init__(self, row: MatchRow, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 -- as above
        super().__init__(row, *args, **kwargs)
        replaceable = [seat for seat in row.seats if seat.username and not seat.is_automatic]
        seats: Any = self.fields["seat"]
        seats.choices = [(seat.number, f"{seat.number}: {seat.username}") for seat in replaceable]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchAction(AdminAction):
    """An action on a match, with the status and the permission that it requires."""

    statuses: frozenset[str]
    form: type[MatchActionForm] = MatchActionForm
    permission: str = field(default="games.operate_matches")
    is_applicable: Callable[[MatchRow], bool] = field(default=lambda _: True)

    def is_allowed(self, row: MatchRow, operator: Player) -> bool:
        """Return whether this operator may perform the action on this match now."""
        return row.status in self.statuses and operator.has_perm(self.permission) and self.is_applicable(row)


def _is_proposed(row: MatchRow) -> bool:
    return row.rated and find_open_proposal(row.id) is not None


_ACTIVE: Final = frozenset({MatchStatus.ACTIVE})
_IN_PLAY: Final = frozenset({MatchStatus.ACTIVE, MatchStatus.PAUSED})

MATCH_ACTIONS: Final = {
    each.key: each
    for each in (
        MatchAction(
            key="cancel",
            label="Cancel",
            description="Cancels the match, which has not started yet.",
            statuses=frozenset({MatchStatus.OPEN}),
            function=services.cancel_open_match,
            final=True,
        ),
        MatchAction(
            key="pause",
            label="Pause",
            description="Stops the clock until the match is resumed or the pause reaches its maximum length.",
            statuses=_ACTIVE,
            function=services.pause_match,
        ),
        MatchAction(
            key="resume",
            label="Resume",
            description="Resumes the paused match; the current turn continues with its remaining time.",
            statuses=frozenset({MatchStatus.PAUSED}),
            function=services.resume_match,
        ),
        MatchAction(
            key="extend",
            label="Extend",
            description="Gives the player to act more time.",
            statuses=_ACTIVE,
            function=services.extend_turn,
            form=ExtendForm,
        ),
        MatchAction(
            key="replace",
            label="Replace a seat",
            description="A caretaker (an AI) plays the seat until its player takes it back.",
            statuses=_IN_PLAY,
            function=services.replace_seat,
            form=ReplaceForm,
        ),
        MatchAction(
            key="annul",
            label="Annul",
            description="Ends the match without a winner; the current round is revealed and not scored.",
            statuses=_IN_PLAY,
            function=services.annul_match,
            is_applicable=lambda row: not row.rated,
            final=True,
        ),
        MatchAction(
            key="propose-annulment",
            label="Propose to annul",
            description="Annulling a rated match needs a second operator, who approves or rejects it.",
            statuses=_IN_PLAY,
            function=propose_annulment,
            is_applicable=lambda row: row.rated and not _is_proposed(row),
        ),
        MatchAction(
            key="approve-annulment",
            label="Approve the annulment",
            description="Ends the rated match without a winner, as another operator has proposed.",
            statuses=_IN_PLAY,
            function=approve_annulment,
            is_applicable=_is_proposed,
            final=True,
        ),
        MatchAction(
            key="reject-annulment",
            label="Reject the annulment",
            description="The match goes on. You can also withdraw your own proposal.",
            statuses=_IN_PLAY,
            function=reject_annulment,
            is_applicable=_is_proposed,
        ),
        MatchAction(
            key="retry-ai",
            label="Retry the AI",
            description="Lets a worker take the waiting turn of the AI or the caretaker now.",
            statuses=_ACTIVE,
            function=services.retry_ai_turn,
            is_applicable=lambda row: row.wake_at is not None,
        ),
    )
}


def act_on_match(request: HttpRequest, match_id: str, action_key: str) -> HttpResponse:
    """Show the form of an action and perform it; raise 404 if the action is not allowed."""
    row = get_match_or_404(match_id)
    action = MATCH_ACTIONS.get(action_key)
    if action is None or not action.is_allowed(row, require_operator(request)):
        raise Http404
    form = action.form(row, request.POST or None)
    if perform_action(request, action, form, match_id=row.id):
        return redirect("admin:games_match_change", match_id)
    context = {
        **site.each_context(request),
        "title": f"{action.label}: {match_id}",
        "match": row,
        "action": action,
        "form": form,
    }
    return render(request, "operators/action.html", context)
