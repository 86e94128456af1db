"""The pages. None of them knows who looks: what is shown in them the browser asks the API for."""

from collections.abc import Callable
from typing import Any

from csp.decorators import csp_update
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.errors import Problem
from games.gateway.ai import LEVEL_NAMES
from games.gateway.rule_pages import rule_titles
from games.web.policy import TEXT_STAYS_TEXT
from games.web.rule_html import rule_html


def _shown(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """A page to be read, asked for again each time: what it loads has addresses that change."""
    return require_safe(cache_control(no_cache=True)(csp_update(TEXT_STAYS_TEXT)(view)))


def _page(request: HttpRequest, name: str, **context: Any) -> HttpResponse:  # noqa: ANN401 -- for templates
    return render(request, f"web/{name}.html", context)


@_shown
def lobby(request: HttpRequest) -> HttpResponse:
    """The lobby: one's own turns, open matches, a new match."""
    return _page(request, "lobby", levels=LEVEL_NAMES)


@_shown
def table(request: HttpRequest, match_id: str) -> HttpResponse:
    """A match, to play at or to watch."""
    return _page(request, "table", match_id=match_id, levels=LEVEL_NAMES)


@_shown
def replay(request: HttpRequest, match_id: str = "") -> HttpResponse:
    """A finished match step by step; without an id, a record file from anywhere."""
    return _page(request, "replay", match_id=match_id)


@_shown
def account(request: HttpRequest) -> HttpResponse:
    """Who plays in this browser."""
    return _page(request, "account")


@_shown
def confirm_email(request: HttpRequest) -> HttpResponse:
    """What the mail to a new address leads to."""
    return _page(request, "confirm-email")


@_shown
def reset_password(request: HttpRequest) -> HttpResponse:
    """A forgotten password: a mail is asked for here, and leads here again."""
    return _page(request, "reset-password")


@_shown
def rules(request: HttpRequest) -> HttpResponse:
    """How the rule sets differ."""
    return _page(request, "rules", page=rule_html(""), titles=rule_titles())


@_shown
def rule_set(request: HttpRequest, key: str) -> HttpResponse:
    """One rule set, whole, with its cards drawn."""
    try:
        page = rule_html(key)
    except Problem as absent:
        raise Http404 from absent
    return _page(request, "rules", page=page, titles=rule_titles(), key=key)


@_shown
def trainer(request: HttpRequest) -> HttpResponse:
    """The trainer: what can these cards be under each rule set."""
    return _page(request, "trainer", titles=rule_titles())
