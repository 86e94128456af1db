"""The admin site, its dashboard and its second factor."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Final
from urllib.parse import urlencode

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.conf import settings
from django.http import Http404, HttpRequest
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from unfold.sites import UnfoldAdminSite

from games.accounts.services.second_factor import (
    confirm_enrolment,
    find_second_factor,
    pending_enrolment,
    second_factor_id,
    start_enrolment,
)
from games.core.addresses import client_address
from games.core.errors import Problem
from games.operators.admin.base import require_operator
from games.operators.admin.log_in import CodeForm, LogInForm
from games.operators.proposals import open_proposals
from games.operators.queries import (
    matches_by_status,
    moves_by_hour,
    overdue_turns,
    sign_ups_by_day,
    waiting_turns,
    waiting_turns_between_ais,
    webhook_health,
)
from games.operators.search import find_target
from games.reports.queries import open_reports


def dashboard() -> dict[str, Any]:
    """Return the context of the dashboard template."""
    moves, sign_ups = moves_by_hour(), sign_ups_by_day()
    return {
        "statuses": matches_by_status(),
        "late": {
            "Overdue turns": overdue_turns(),
            "AI turns waiting": waiting_turns(),
            "Waiting turns between AIs": waiting_turns_between_ais(),
        },
        "failing": webhook_health(),
        "open_reports": open_reports().count(),
        "proposals": list(open_proposals()[:20]),
        "moves_today": sum(moves.values()),
        "moves_chart": _chart("Events", moves, "%H:00"),
        "sign_ups": sum(sign_ups.values()),
        "sign_ups_chart": _chart("Accounts", sign_ups, "%d %b"),
    }


def _chart(label: str, counts: Mapping[datetime, int], time_format: str) -> str:
    """Return the data of a bar chart as JSON, in the format of Unfold's charts."""
    return json.dumps(
        {
            "labels": [each.strftime(time_format) for each in counts],
            "datasets": [
                {"label": label, "data": list(counts.values()), "backgroundColor": "var(--color-primary-600)"}
            ],
        }
    )


MAX_TERM_LENGTH: Final = 500
View = Callable[..., HttpResponseBase]

# Unfold's pages contain inline styles. Its scripts evaluate no strings: the build of Alpine.js in this room's
# static files replaces the one of the package.
_ADMIN_CSP: Final = {
    "script-src": [SELF],
    "style-src": [SELF, UNSAFE_INLINE],
}


_FOUND: Final = 302
_CODE_ENTERED: Final = "second_factor"


def _has_entered_code(request: HttpRequest) -> bool:
    """Return whether a code of the current second factor was entered in this session.

    A session from before a second factor was replaced does not count: it may be that of a thief.
    """
    if not settings.HAGGIS_ADMIN_SECOND_FACTOR:
        return True
    factor = second_factor_id(require_operator(request))
    return factor is not None and request.session.get(_CODE_ENTERED) == factor


class OperatorsSite(UnfoldAdminSite):
    """The admin site of operators and moderators."""

    login_form = LogInForm
    login_template = "operators/login.html"
    index_title = "Dashboard"
    index_template = "operators/index.html"

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Show the dashboard."""
        page: TemplateResponse = super().index(request, {**dashboard(), **(extra_context or {})})
        return page

    def has_permission(self, request: HttpRequest) -> bool:
        """Return whether the user is staff and has entered a code of a second factor in this session."""
        return bool(super().has_permission(request)) and _has_entered_code(request)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:
        """Log an operator in for a limited time; one without a second factor has to set one up first."""
        if request.method == "GET" and self._must_enrol(request):
            return redirect("admin:second-factor")
        response: HttpResponseBase = super().login(request, extra_context)
        if request.method == "POST" and response.status_code == _FOUND:
            request.session.set_expiry(timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE))
            # The form has checked the code of a player who has a second factor.
            request.session[_CODE_ENTERED] = second_factor_id(require_operator(request))
        return response

    def password_change(
        self,
        request: HttpRequest,  # noqa: ARG002 -- as Django calls it
        extra_context: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> HttpResponseBase:
        """Redirect to the account page: it limits attempts, revokes tokens and notifies the owner."""
        return redirect("account")

    def set_up_second_factor(self, request: HttpRequest) -> HttpResponseBase:
        """Show a new key; with a code of it let the second factor count and show the recovery codes."""
        if not self._must_enrol(request):
            return redirect("admin:index")
        player, form = require_operator(request), CodeForm(request.POST or None)
        context = {**self.each_context(request), "title": "Set up a second factor", "form": form}
        if form.is_valid():
            try:
                codes = confirm_enrolment(
                    player=player, code=form.cleaned_data["code"], address=client_address(request)
                )
            except Problem as problem:
                form.add_error(None, problem.detail)
            else:
                request.session[_CODE_ENTERED] = second_factor_id(player)
                context |= {"recovery_codes": codes, "index_url": reverse("admin:index")}
        if "recovery_codes" not in context:
            new = request.method == "GET"
            enrolment = start_enrolment(player=player) if new else pending_enrolment(player=player)
            groups = [enrolment.key[start : start + 4] for start in range(0, len(enrolment.key), 4)]
            context |= {"enrolment": enrolment, "grouped_key": " ".join(groups)}
        return render(request, "operators/second_factor.html", context)

    def _must_enrol(self, request: HttpRequest) -> bool:
        """Return whether an operator has logged in with a password and has no second factor yet.

        A session from before a second factor was removed does not count: it may be that of a thief.
        """
        return (
            settings.HAGGIS_ADMIN_SECOND_FACTOR
            and bool(super().has_permission(request))
            and request.session.get(_CODE_ENTERED) is None
            and find_second_factor(require_operator(request)) is None
        )

    def extra_urls(self) -> list[URLPattern]:
        """Return the search, and the page that sets up a second factor, which needs no second factor."""
        view = never_cache(csrf_protect(self.set_up_second_factor))
        return [
            path("second-factor/", view, name="second-factor"),
            path("find/", self.admin_view(self.find), name="find"),
        ]

    def find(self, request: HttpRequest) -> HttpResponseBase:
        """Redirect to the page of what was entered, or to the list of players that match it."""
        term = request.GET.get("q", "")[:MAX_TERM_LENGTH]
        target = find_target(term)
        if target is not None:
            return redirect(f"admin:{target.view}", target.key)
        query = urlencode({"q": term})
        return redirect(f"{reverse('admin:games_player_changelist')}?{query}")

    def get_urls(self) -> list[Any]:
        """Restrict all pages to the admin hosts and set their content security policy."""
        return _guard_patterns(super().get_urls())


def _guard_patterns(patterns: list[Any]) -> list[Any]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            _guard_patterns(pattern.url_patterns)
        elif isinstance(pattern, URLPattern):
            pattern.callback = _restrict_to_admin_hosts(pattern.callback)
    return patterns


def _restrict_to_admin_hosts(view: View) -> View:
    """Raise 404 on hosts other than the admin hosts."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:  # noqa: ANN401 -- any page
        name, _ = split_domain_port(request.get_host())
        if settings.HAGGIS_ADMIN_HOSTS and name not in settings.HAGGIS_ADMIN_HOSTS:
            raise Http404
        return view(request, *args, **kwargs)

    return csp_update(_ADMIN_CSP)(wrapper)


site: Final = OperatorsSite(name="admin")
