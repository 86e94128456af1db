"""Views of the web pages, the rule pages and the unsubscribe page."""

from collections.abc import Callable
from typing import Any, Final

from csp.decorators import csp_update
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from games.core.errors import Problem
from games.core.languages import ENGLISH
from games.gateway.agreement import rule_set_keys, rule_titles
from games.gateway.ai import LEVEL_NAMES
from games.identity.queries import public_player
from games.lessons.queries import LESSON_KEYS
from games.matches.models.match import PREFIX
from games.notifications.mail import parse_unsubscribe_token, unsubscribe
from games.web.languages import localized
from games.web.rule_pages import rule_html

# Supporting browsers keep scripts from turning strings into markup or code.
TRUSTED_TYPES_CSP: Final = {"require-trusted-types-for": ["'script'"]}


def _page_view(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """Decorate the view of a page: safe methods only, revalidated each time, trusted types, localized."""
    return require_safe(cache_control(no_cache=True)(csp_update(TRUSTED_TYPES_CSP)(localized(view))))


def _language() -> str:
    return get_language() or ENGLISH


def _page(request: HttpRequest, name: str, **context: Any) -> HttpResponse:
    return render(request, f"web/{name}.html", context)


@_page_view
def lobby(request: HttpRequest) -> HttpResponse:
    """Show the lobby: your turns, open matches and the form for a new match."""
    return _page(request, "lobby", levels=LEVEL_NAMES)


def _require_match_id(match_id: str) -> None:
    """Raise 404 for what cannot be the id of a match."""
    if not match_id.startswith(PREFIX):
        raise Http404


@_page_view
def table(request: HttpRequest, match_id: str) -> HttpResponse:
    """Show a match to play or to watch. Whether it exists is answered by the API, which knows the viewer."""
    _require_match_id(match_id)
    return _page(request, "table", match_id=match_id, levels=LEVEL_NAMES)


@_page_view
def replay(request: HttpRequest, match_id: str = "") -> HttpResponse:
    """Replay a finished match step by step, or without an id any record file."""
    if match_id:
        _require_match_id(match_id)
    return _page(request, "replay", match_id=match_id)


@_page_view
def account(request: HttpRequest) -> HttpResponse:
    """Show the account of the player who uses this browser."""
    return _page(request, "account")


@_page_view
def player(request: HttpRequest, username: str) -> HttpResponse:
    """Show a player with statistics and matches; raise 404 for deleted and banned players."""
    try:
        found = public_player(username)
    except Problem as error:
        raise Http404 from error
    shown = found.display_name or found.username
    return _page(request, "player", username=found.username, shown_name=shown, rulesets=rule_set_keys())


@_page_view
def own_matches(request: HttpRequest) -> HttpResponse:
    """Show the statistics and all matches of the player who uses this browser."""
    return _page(request, "player", rulesets=rule_set_keys())


@_page_view
def players(request: HttpRequest) -> HttpResponse:
    """Show the directory of players."""
    return _page(request, "players")


@_page_view
def watch(request: HttpRequest) -> HttpResponse:
    """Show the public matches that are being played."""
    return _page(request, "watch")


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
def puzzle(request: HttpRequest, puzzle_id: str) -> HttpResponse:
    """Show a puzzle at the table: one by its id, `daily` or `next`."""
    return _page(request, "puzzle", puzzle=puzzle_id)


@_page_view
def learn(request: HttpRequest) -> HttpResponse:
    """List the lessons."""
    return _page(request, "learn")


@_page_view
def lesson(request: HttpRequest, key: str) -> HttpResponse:
    """Show a lesson at the table; raise 404 if it does not exist."""
    if key not in LESSON_KEYS:
        raise Http404
    return _page(request, "lesson", key=key)


@_page_view
def rules(request: HttpRequest) -> HttpResponse:
    """Show how the rule sets differ."""
    return _page(request, "rules", page=rule_html("", _language()), titles=rule_titles())


@_page_view
def rule_set(request: HttpRequest, key: str) -> HttpResponse:
    """Show the rules of one rule set."""
    try:
        page = rule_html(key, _language())
    except Problem as error:
        raise Http404 from error
    return _page(request, "rules", page=page, titles=rule_titles(), key=key)


@_page_view
def trainer(request: HttpRequest) -> HttpResponse:
    """Show the trainer: what a set of cards can be played as under each rule set."""
    return _page(request, "trainer", titles=rule_titles())


_NOTICE_KIND_NAMES: Final = {
    "invitation": _("invitations"),
    "your_turn": _("your turns"),
    "reminder": _("turns that are about to time out"),
    "caretaker": _("seats that an AI has taken over"),
    "match_end": _("finished matches"),
    "seek_matched": _("opponents for your seeks"),
    "rating_changed": _("changes of your rating"),
    "board_opened": _("new boards"),
    "board_closed": _("results of boards"),
    "export_ready": _("archives of your data"),
}
_INVALID_LINK_STATUS: Final = 404


# The signed token is the only credential: mail programs post it without cookies (RFC 8058).
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@localized
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
