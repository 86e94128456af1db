"""The admin site, its dashboard and its login form."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import wraps
from typing import Any, Final

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver
from unfold.forms import AuthenticationForm
from unfold.sites import UnfoldAdminSite

from games.accounts.services.credentials import clear_attempts, record_attempt
from games.core.addresses import client_address
from games.core.errors import Problem
from games.operators.queries import (
    matches_by_status,
    moves_by_hour,
    overdue_turns,
    sign_ups_by_day,
    waiting_turns,
    webhook_health,
)


class LogInForm(AuthenticationForm):
    """The login form, with rate limits per address and per account."""

    def clean(self) -> dict[str, Any]:
        """Record the attempt before the password is checked."""
        attempt = {
            "username": self.cleaned_data.get("username", ""),
            "address": client_address(self.request),
        }
        try:
            record_attempt(**attempt)
        except Problem as problem:
            wait = problem.extra["retry_after"]
            raise ValidationError(f"Too many attempts. Try again in {wait} seconds.") from problem
        cleaned: dict[str, Any] = super().clean()
        clear_attempts(**attempt)
        return cleaned


def dashboard() -> dict[str, Any]:
    """Return the context of the dashboard template."""
    moves, sign_ups = moves_by_hour(), sign_ups_by_day()
    return {
        "statuses": matches_by_status(),
        "late": {"Overdue turns": overdue_turns(), "AI turns waiting": waiting_turns()},
        "failing": webhook_health(),
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


View = Callable[..., HttpResponseBase]

# Unfold's pages contain inline styles. Its scripts evaluate no strings: the build of Alpine.js in this room's
# static files replaces the one of the package.
_ADMIN_CSP: Final = {
    "script-src": [SELF],
    "style-src": [SELF, UNSAFE_INLINE],
}


class OperatorsSite(UnfoldAdminSite):
    """The admin site of operators and moderators."""

    login_form = LogInForm
    index_title = "Dashboard"
    index_template = "operators/index.html"

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Show the dashboard."""
        page: TemplateResponse = super().index(request, {**dashboard(), **(extra_context or {})})
        return page

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
