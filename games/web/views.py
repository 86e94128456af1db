"""Web pages, rule pages and the unsubscribe page."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from csp.decorators import csp_update
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from games.core.errors import Problem
from games.gateway.agreement import rule_text, rule_titles
from games.gateway.ai import LEVEL_NAMES
from games.notifications.mail import parse_unsubscribe_token, unsubscribe

# No text ever becomes markup or code in them: browsers that know how hold the scripts to it.
TRUSTED_TYPES_CSP: Final = {"require-trusted-types-for": ["'script'"]}


def _page_view(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """A page to be read, asked for again each time: what it loads has addresses that change."""
    return require_safe(cache_control(no_cache=True)(csp_update(TRUSTED_TYPES_CSP)(view)))


def _page(request: HttpRequest, name: str, **context: Any) -> HttpResponse:
    return render(request, f"web/{name}.html", context)


@_page_view
def lobby(request: HttpRequest) -> HttpResponse:
    """The lobby: one's own turns, open matches, a new match."""
    return _page(request, "lobby", levels=LEVEL_NAMES)


@_page_view
def table(request: HttpRequest, match_id: str) -> HttpResponse:
    """A match, to play at or to watch."""
    return _page(request, "table", match_id=match_id, levels=LEVEL_NAMES)


@_page_view
def replay(request: HttpRequest, match_id: str = "") -> HttpResponse:
    """A finished match step by step; without an id, a record file from anywhere."""
    return _page(request, "replay", match_id=match_id)


@_page_view
def account(request: HttpRequest) -> HttpResponse:
    """Who plays in this browser."""
    return _page(request, "account")


@_page_view
def confirm_email(request: HttpRequest) -> HttpResponse:
    """What the mail to a new address leads to."""
    return _page(request, "confirm-email")


@_page_view
def reset_password(request: HttpRequest) -> HttpResponse:
    """A forgotten password: a mail is asked for here, and leads here again."""
    return _page(request, "reset-password")


@_page_view
def rules(request: HttpRequest) -> HttpResponse:
    """How the rule sets differ."""
    return _page(request, "rules", page=rule_html(""), titles=rule_titles())


@_page_view
def rule_set(request: HttpRequest, key: str) -> HttpResponse:
    """One rule set, whole, with its cards drawn."""
    try:
        page = rule_html(key)
    except Problem as absent:
        raise Http404 from absent
    return _page(request, "rules", page=page, titles=rule_titles(), key=key)


@_page_view
def trainer(request: HttpRequest) -> HttpResponse:
    """The trainer: what can these cards be under each rule set."""
    return _page(request, "trainer", titles=rule_titles())


_CARDS: Final = re.compile(r"(?:[2-9T][roygb]|[JQK])(?: (?:[2-9T][roygb]|[JQK]))*")
_NOTICE: Final = re.compile(r"\A<!--.*?-->\s*", re.DOTALL)
_PAGE_OF: Final = re.compile(r"\]\((\w+)\.md\)")


@cache
def rule_html(key: str) -> SafeString:
    """The page of a rule set; for no key the one that compares them.

    >>> "<haggis-cards>7r 7g J</haggis-cards>" in rule_html("classic")
    True
    """
    text = _PAGE_OF.sub(r"](/rules/\1)", _NOTICE.sub("", rule_text(key)))
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("code_inline", _code)
    html: str = markdown.render(text)
    return mark_safe(html)  # noqa: S308 -- Markdown of our own, in which HTML is off


def _code(_: object, tokens: Sequence[Token], index: int, *__: Any) -> str:
    """Cards as an element that draws them, and anything else as code."""
    content = tokens[index].content
    if _CARDS.fullmatch(content):
        return format_html("<haggis-cards>{}</haggis-cards>", content)
    return format_html("<code>{}</code>", content)


_NAMES: Final = {
    "invitation": "invitations",
    "your_turn": "your turns",
    "reminder": "turns that run out",
    "caretaker": "seats that an AI keeps for you",
    "match_end": "matches that are over",
}
_NO_SUCH_LINK: Final = 404


# The signed word is all that counts, whoever sends it: mail programs do so by themselves (RFC 8058).
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
def unsubscribe_page(request: HttpRequest) -> HttpResponse:
    """Ask before anything is done; do it when it is posted."""
    token = request.GET.get("token", "")
    try:
        kinds = parse_unsubscribe_token(token)
        if request.method == "POST":
            unsubscribe(token=token, everything="everything" in request.POST)
    except Problem:
        return render(request, "web/unsubscribe.html", {"unknown": True}, status=_NO_SUCH_LINK)
    names = [_NAMES[kind] for kind in kinds if kind in _NAMES]
    return render(request, "web/unsubscribe.html", {"names": names, "done": request.method == "POST"})
