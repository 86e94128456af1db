"""Admin pages of reports: the queue, and the decision of a case."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Final

from django import forms
from django.contrib import admin
from django.contrib.auth.decorators import permission_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from unfold.decorators import display

from games.core.errors import Problem
from games.identity.models import Player
from games.operators import cases
from games.operators.admin.base import (
    AdminAction,
    ConfirmForm,
    FixedChoicesFilter,
    MessageForm,
    ReasonForm,
    RenameForm,
    SearchableAdmin,
    SuspendForm,
    perform_action,
    require_operator,
)
from games.operators.admin.site import site
from games.operators.models import OperatorAction
from games.operators.search import search_reports
from games.reports.models import Report, ReportOutcome, ReportReason
from games.reports.queries import other_reports, outcomes_of_reporter, require_report

MODERATE: Final = "games.moderate_players"
_OTHER_REPORTS: Final = 20
_OPEN: Final = "open"


class StatusFilter(admin.SimpleListFilter):
    """Filters by outcome. Without a choice the list has the open reports only."""

    title = "status"
    parameter_name = "status"

    def lookups(self, _request: HttpRequest, _model_admin: Any) -> Iterable[tuple[str, str]]:  # noqa: ANN401 -- as Django calls it
        """Return the choices besides the default."""
        outcomes = [(outcome.value, outcome.value) for outcome in ReportOutcome if outcome.value]
        return [("all", "all"), *outcomes]

    def choices(self, changelist: Any) -> Any:  # noqa: ANN401 -- as Django calls it
        """Name the default choice."""
        for choice in super().choices(changelist):
            yield {**choice, "display": _OPEN} if choice["query_string"] == "?" else choice

    def queryset(self, _request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Filter by the chosen outcome, or open reports."""
        value = self.value()
        if value == "all":
            return queryset
        return queryset.filter(outcome=value if value in ReportOutcome.values else "")


class ReasonFilter(FixedChoicesFilter):
    """Filters by the reason of the report."""

    title = "reason"
    parameter_name = "reason"
    get_choices = staticmethod(lambda: ReportReason.choices)


@admin.register(Report, site=site)
class ReportAdmin(SearchableAdmin):
    """The queue of reports, oldest first."""

    ordering = ("id",)
    list_display = ("id", "created_at", "reason_label", "player", "reporter", "claimed_by", "outcome_label")
    list_filter: ClassVar = [StatusFilter, ReasonFilter]
    list_select_related = ("player", "reporter", "claimed_by")
    search_fields = ("id",)
    search_help_text = "Name of a player, or ID or link of a match"
    search = staticmethod(search_reports)

    @display(description="reason", label={"cheating": "danger", "abuse": "danger", "stalling": "warning"})
    def reason_label(self, report: Report) -> str:
        """Return the reason, shown as a coloured label."""
        return report.reason

    @display(description="outcome", label={_OPEN: "info", "dismissed": "success"})
    def outcome_label(self, report: Report) -> str:
        """Return the outcome, shown as a coloured label."""
        return report.outcome or _OPEN

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ANN401, ARG002 -- as Django calls it
        """Return whether the operator may moderate players."""
        return request.user.has_perm(MODERATE)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return whether the operator may moderate players."""
        return self.has_view_permission(request)

    def get_urls(self) -> list[URLPattern]:
        """Replace the change page by our own and add the pages of the actions."""
        wrap = self.admin_site.admin_view
        return [
            path("<int:report_id>/change/", wrap(report_page), name="games_report_change"),
            path("<int:report_id>/<slug:action_key>/", wrap(act_on_report), name="games_report_action"),
            *(each for each in super().get_urls() if each.name == "games_report_changelist"),
        ]


def _is_open(report: Report) -> bool:
    return not report.outcome


def _has_account(report: Report) -> bool:
    return _is_open(report) and report.player.is_active


def _is_person(report: Report) -> bool:
    return _has_account(report) and not report.player.is_staff


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportAction(AdminAction):
    """An action on a report, with its condition and its form."""

    is_applicable: Callable[[Report, Player], bool] = field(default=lambda report, _: _is_open(report))
    form: type[forms.Form] = ReasonForm

    def is_allowed(self, report: Report, operator: Player) -> bool:
        """Return whether this operator may perform the action now."""
        if operator.pk in {report.reporter_id, report.player_id} or not operator.has_perm(MODERATE):
            return False
        return self.is_applicable(report, operator)


def _decision(
    key: str,
    label: str,
    description: str,
    outcome: ReportOutcome,
    is_applicable: Callable[[Report], bool] = _has_account,
    form: type[forms.Form] = ReasonForm,
) -> ReportAction:
    return ReportAction(
        key=key,
        label=label,
        description=description,
        form=form,
        final=outcome == ReportOutcome.BANNED,
        function=partial(cases.decide_report, outcome=outcome),
        is_applicable=lambda report, operator: is_applicable(report) and _is_mine(report, operator),
    )


def _is_mine(report: Report, operator: Player) -> bool:
    return report.claimed_by_id in {None, operator.pk}


REPORT_ACTIONS: Final = {
    each.key: each
    for each in (
        ReportAction(
            key="claim",
            label="Claim",
            description="Nobody else works on this report then.",
            form=ConfirmForm,
            is_applicable=lambda report, _: _is_open(report) and report.claimed_by_id is None,
            function=cases.claim_report,
        ),
        ReportAction(
            key="release",
            label="Give back",
            description="Returns the report to the queue.",
            form=ConfirmForm,
            is_applicable=lambda report, _: _is_open(report) and report.claimed_by_id is not None,
            function=cases.release_report,
        ),
        ReportAction(
            key="note",
            label="Write a note",
            description="Adds a note that operators and moderators see here and on the page of the player.",
            is_applicable=lambda _report, _operator: True,
            function=cases.note_report,
        ),
        _decision(
            "dismiss",
            "Dismiss",
            "Closes the report. Nobody is notified.",
            ReportOutcome.DISMISSED,
            is_applicable=_is_open,
        ),
        _decision(
            "warn",
            "Warn",
            "Shows a message to the reported player, and closes the report.",
            ReportOutcome.WARNED,
            form=MessageForm,
        ),
        _decision(
            "rename",
            "Rename",
            "Gives the reported player a new name, and closes the report.",
            ReportOutcome.RENAMED,
            form=RenameForm,
        ),
        _decision(
            "suspend",
            "Suspend",
            "Suspends the reported player for some days, and closes the report.",
            ReportOutcome.SUSPENDED,
            form=SuspendForm,
            is_applicable=_is_person,
        ),
        _decision(
            "ban",
            "Ban",
            "Logs out the reported player and their bots, resigns their matches and blocks their login.",
            ReportOutcome.BANNED,
            is_applicable=_is_person,
        ),
    )
}


def _get_report_or_404(report_id: int) -> Report:
    try:
        return require_report(report_id)
    except Problem as problem:
        raise Http404 from problem


@permission_required(MODERATE, raise_exception=True)
def report_page(request: HttpRequest, report_id: int) -> HttpResponse:
    """Show a report, its notes and its actions."""
    report, operator = _get_report_or_404(report_id), require_operator(request)
    notes = OperatorAction.objects.filter(player=report.player, details__report=report.pk)
    context = {
        **site.each_context(request),
        "title": f"Report {report.pk}",
        "report": report,
        "outcomes": outcomes_of_reporter(report.reporter),
        "others": other_reports(report).select_related("reporter")[:_OTHER_REPORTS],
        "actions": [each for each in REPORT_ACTIONS.values() if each.is_allowed(report, operator)],
        "audit_log": notes.select_related("operator").order_by("-pk"),
    }
    return render(request, "operators/report.html", context)


def act_on_report(request: HttpRequest, report_id: int, action_key: str) -> HttpResponse:
    """Show the form of an action and perform it; raise 404 if the action is not allowed."""
    report = _get_report_or_404(report_id)
    action = REPORT_ACTIONS.get(action_key)
    if action is None or not action.is_allowed(report, require_operator(request)):
        raise Http404
    form = action.form(request.POST or None)
    if perform_action(request, action, form, report_id=report_id):
        return redirect("admin:games_report_change", report_id)
    context = {
        **site.each_context(request),
        "title": f"{action.label}: report {report_id}",
        "action": action,
        "form": form,
    }
    return render(request, "operators/action.html", context)
