"""Views of the web pages, the rule pages and the unsubscribe page."""

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

# Supporting browsers keep scripts from turning strings into markup or code.
TRUSTED_TYPES_CSP: Final = {"require-trusted-types-for": ["'script'"]}


def _page_view(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """Decorate the view of a page: safe methods only, revalidated each time, with trusted types."""
    return require_safe(cache_control(no_cache=True)(csp_update(TRUSTED_TYPES_CSP)(view)))


def _page(request: HttpRequest, name: str, **context: Any) -> HttpResponse:
    return render(request, f"web/{name}.html", context)


@_page_view
def lobby(request: HttpRequest) -> HttpResponse:
    """Show the lobby: your turns, open matches and the form for a new match."""
    return _page(request, "lobby", levels=LEVEL_NAMES)


@_page_view
def table(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a match to play or to watch."""
    return _page(request, "table", match_id=match_id, levels=LEVEL_NAMES)


@_page_view
def replay(request: HttpRequest, match_id: str = "") -> HttpResponse:
    """Replay a finished match step by step, or without an id any record file."""
    return _page(request, "replay", match_id=match_id)


@_page_view
def account(request: HttpRequest) -> HttpResponse:
    """Show the account of the player who uses this browser."""
    return _page(request, "account")


@_page_view
def confirm_email(request: HttpRequest) -> HttpResponse:
    """Show the page that the link in a confirmation e-mail opens."""
    return _page(request, "confirm-email")


@_page_view
def undo_email_change(request: HttpRequest) -> HttpResponse:
    """Show the page that the link in the notice of a change of address opens."""
    return _page(request, "undo-email-change")


@_page_view
def reset_password(request: HttpRequest) -> HttpResponse:
    """Show the page that requests a password reset and that the link in the e-mail opens."""
    return _page(request, "reset-password")


@_page_view
def rules(request: HttpRequest) -> HttpResponse:
    """Show how the rule sets differ."""
    return _page(request, "rules", page=rule_html(""), titles=rule_titles())


@_page_view
def rule_set(request: HttpRequest, key: str) -> HttpResponse:
    """Show the rules of one rule set."""
    try:
        page = rule_html(key)
    except Problem as error:
        raise Http404 from error
    return _page(request, "rules", page=page, titles=rule_titles(), key=key)


@_page_view
def trainer(request: HttpRequest) -> HttpResponse:
    """Show the trainer: what a set of cards can be played as under each rule set."""
    return _page(request, "trainer", titles=rule_titles())


_CARD_CODES: Final = re.compile(r"(?:[2-9T][roygb]|[JQK])(?: (?:[2-9T][roygb]|[JQK]))*")
_LEADING_COMMENT: Final = re.compile(r"\A<!--.*?-->\s*", re.DOTALL)
_RULE_LINK: Final = re.compile(r"\]\((\w+)\.md\)")


@cache
def rule_html(key: str) -> SafeString:
    """Render the rules of a rule set, or for an empty key the comparison of all rule sets.

    >>> "<haggis-cards>7r 7g J</haggis-cards>" in rule_html("classic")
    True
    """
    text = _RULE_LINK.sub(r"](/rules/\1)", _LEADING_COMMENT.sub("", rule_text(key)))
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("code_inline", _render_code)
    html: str = markdown.render(text)
    return mark_safe(html)  # noqa: S308 -- our own Markdown, with HTML disabled


def _render_code(_: object, tokens: Sequence[Token], index: int, *__: Any) -> str:
    """Render card codes as an element that draws them, and any other code as `<code>`."""
    content = tokens[index].content
    if _CARD_CODES.fullmatch(content):
        return format_html("<haggis-cards>{}</haggis-cards>", content)
    return format_html("<code>{}</code>", content)


_NOTICE_KIND_NAMES: Final = {
    "invitation": "invitations",
    "your_turn": "your turns",
    "reminder": "turns that are about to time out",
    "caretaker": "seats that an AI has taken over",
    "match_end": "finished matches",
}
_INVALID_LINK_STATUS: Final = 404


# The signed token is the only credential: mail programs post it without cookies (RFC 8058).
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
def unsubscribe_page(request: HttpRequest) -> HttpResponse:
    """Ask for confirmation on GET; unsubscribe on POST."""
    token = request.GET.get("token", "")
    try:
        kinds = parse_unsubscribe_token(token)
        if request.method == "POST":
            unsubscribe(token=token, everything="everything" in request.POST)
    except Problem:
        return render(request, "web/unsubscribe.html", {"unknown": True}, status=_INVALID_LINK_STATUS)
    names = [_NOTICE_KIND_NAMES[kind] for kind in kinds if kind in _NOTICE_KIND_NAMES]
    return render(request, "web/unsubscribe.html", {"names": names, "done": request.method == "POST"})
