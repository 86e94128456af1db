"""The admin site, its dashboard and its login form."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import wraps
from typing import Any, Final

from csp.constants import SELF, UNSAFE_EVAL, UNSAFE_INLINE
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
    """Name and password, so many times from one address and at one account."""

    def clean(self) -> dict[str, Any]:
        """Count the attempt before it is judged."""
        attempt = {
            "username": self.cleaned_data.get("username", ""),
            "address": client_address(self.request),
        }
        try:
            record_attempt(**attempt)
        except Problem as refused:
            wait = refused.extra["retry_after"]
            raise ValidationError(f"Too many attempts. The next one counts in {wait} seconds.") from refused
        cleaned: dict[str, Any] = super().clean()
        clear_attempts(**attempt)
        return cleaned


def dashboard() -> dict[str, Any]:
    """What the template shows."""
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


def _chart(label: str, counts: Mapping[datetime, int], form: str) -> str:
    """The data of a bar chart, as the library's charts take it."""
    return json.dumps(
        {
            "labels": [each.strftime(form) for each in counts],
            "datasets": [
                {"label": label, "data": list(counts.values()), "backgroundColor": "var(--color-primary-600)"}
            ],
        }
    )


View = Callable[..., HttpResponseBase]

# The library's pages bring scripts and styles in their markup, and evaluate what stands in its attributes.
_ADMIN_CSP: Final = {
    "script-src": [SELF, UNSAFE_INLINE, UNSAFE_EVAL],
    "style-src": [SELF, UNSAFE_INLINE],
}


class OperatorsSite(UnfoldAdminSite):
    """Where operators and moderators look after matches and players."""

    login_form = LogInForm
    index_title = "Now"
    index_template = "operators/index.html"

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """What goes on."""
        page: TemplateResponse = super().index(request, {**dashboard(), **(extra_context or {})})
        return page

    def get_urls(self) -> list[Any]:
        """Every page of the site, each kept to the site's hosts and given its policy."""
        return _guard_patterns(super().get_urls())


def _guard_patterns(patterns: list[Any]) -> list[Any]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            _guard_patterns(pattern.url_patterns)
        elif isinstance(pattern, URLPattern):
            pattern.callback = _restrict_to_admin_hosts(pattern.callback)
    return patterns


def _restrict_to_admin_hosts(view: View) -> View:
    """The page, where the site is; elsewhere there is nothing."""

    @wraps(view)
    def on_its_hosts(request: HttpRequest, *args: Any, **parts: Any) -> HttpResponseBase:  # noqa: ANN401 -- any page
        name, _ = split_domain_port(request.get_host())
        if settings.HAGGIS_ADMIN_HOSTS and name not in settings.HAGGIS_ADMIN_HOSTS:
            raise Http404
        return view(request, *args, **parts)

    return csp_update(_ADMIN_CSP)(on_its_hosts)


site: Final = OperatorsSite(name="admin")
