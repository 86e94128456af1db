"""The page on which a player lets an app act for them. It works without scripts."""

from typing import Any, Final, cast

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import rotate_token
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST

from games.accounts.services.sign_in import authenticate_player
from games.api.auth import BearerTokenAuthentication
from games.api.problems import accept_language, problem_response
from games.core.addresses import client_address, request_source
from games.core.errors import Problem
from games.core.languages import message, translated
from games.core.rate_limits import count_request
from games.identity.models import Player, Scope
from games.identity.queries import sessions_of
from games.oauth.protocol import (
    AppRequestError,
    AuthorizationRequest,
    InvalidAppRequestError,
    grant,
    read_authorization_request,
    redirect_to_app,
    refusal,
)
from games.oauth.queries import has_consented
from games.oauth.sign_in import discard_sign_in, remember_sign_in, signed_in_player
from games.web.languages import localized
from games.web.views import TRUSTED_TYPES_CSP

BAD_REQUEST: Final = 400
SEE_OTHER: Final = 303
NO_CONTENT: Final = 204

SCOPE_TEXTS: Final = {
    Scope.MATCHES_READ: _("See your matches and invitations, also private ones, with the cards in your hand"),
    Scope.MATCHES_PLAY: _(
        "Play for you: see your matches and your hand, create, join and leave matches, and make your moves"
    ),
    Scope.ACCOUNT_WRITE: _("See your e-mail address, and change your profile and notifications"),
    Scope.WEBHOOKS_WRITE: _("Send events of your matches to other servers, even while you are away"),
}


@require_http_methods(["GET", "HEAD", "POST"])
@csrf_protect
@cache_control(no_store=True)
@localized
def authorize(request: HttpRequest) -> HttpResponse:
    """Ask the player to log in and to allow or refuse what an app asks for.

    Nobody is sent to an app, not even with an error, before a player has logged in here: otherwise everybody
    who registers an app could use this address as an open redirect (RFC 9700, 4.11.2).
    """
    try:
        asked: AuthorizationRequest | None = read_authorization_request(request)
        problem_address = ""
    except InvalidAppRequestError as error:
        context = {"reason": str(error)}
        return _render(request, None, "web/oauth-error.html", context, status=BAD_REQUEST)
    except AppRequestError as error:
        asked, problem_address = None, error.address
    player = signed_in_player(request)
    if request.method == "POST":
        return _act(request, asked, problem_address, player)
    if player is None:
        return _log_in_page(request, asked, problem_address)
    if asked is None:
        return redirect_to_app(problem_address)
    if asked.is_verifiable and has_consented(player=player, app=asked.app, scopes=set(asked.scopes)):
        return _grant(request, asked, player)
    return _consent_page(request, asked, player)


def _act(
    request: HttpRequest, asked: AuthorizationRequest | None, problem_address: str, player: Player | None
) -> HttpResponse:
    counted = count_request("address", f"a{client_address(request)}")
    if counted is not None and counted.is_exceeded:
        return problem_response(
            Problem("rate_limited", retry_after=counted.seconds_left), accept_language(request)
        )
    action = request.POST.get("action")
    if action == "log_in":
        return _log_in(request, asked, problem_address)
    if action == "log_out":
        response = _same_page(request)
        discard_sign_in(response)
        return response
    if player is None or asked is None or request.POST.get("player") != player.username:
        return _same_page(request)  # the player has logged in as somebody else in another window
    if action == "refuse":
        return redirect_to_app(refusal(request, asked))
    return _grant(request, asked, player) if action == "allow" else _same_page(request)


def _log_in(request: HttpRequest, asked: AuthorizationRequest | None, problem_address: str) -> HttpResponse:
    username, code = request.POST.get("username", ""), request.POST.get("code", "").strip()
    try:
        player = authenticate_player(
            username=username,
            password=request.POST.get("password", ""),
            code=code or None,
            source=request_source(request),
        )
    except Problem as problem:
        needs_code = problem.code == "second_factor_required" or "code" in request.POST
        is_first = problem.code == "second_factor_required" and "code" not in request.POST
        return _log_in_page(
            request,
            asked,
            problem_address,
            problem="" if is_first else problem.detail or translated(problem.title),
            username=username,
            needs_code=needs_code,
            status=200 if is_first else problem.status,
        )
    rotate_token(request)
    response = _same_page(request)
    remember_sign_in(response, request, player)
    return response


def _grant(request: HttpRequest, asked: AuthorizationRequest, player: Player) -> HttpResponse:
    try:
        return redirect_to_app(grant(request, asked, player))
    except Problem:  # the account was closed or suspended meanwhile
        response = _same_page(request)
        discard_sign_in(response)
        return response


def _log_in_page(
    request: HttpRequest,
    asked: AuthorizationRequest | None,
    problem_address: str,
    *,
    status: int = 200,
    **context: object,
) -> HttpResponse:
    page = {**context, "app": None if asked is None else asked.app}
    return _render(request, asked, "web/oauth-log-in.html", page, status=status, address=problem_address)


def _consent_page(request: HttpRequest, asked: AuthorizationRequest, player: Player) -> HttpResponse:
    texts = [SCOPE_TEXTS[scope] for scope in asked.scopes]
    context = {"app": asked.app, "target": asked.target, "texts": texts, "player": player}
    return _render(request, asked, "web/oauth-consent.html", context)


def _render(
    request: HttpRequest,
    asked: AuthorizationRequest | None,
    template: str,
    context: dict[str, Any],
    *,
    status: int = 200,
    address: str = "",
) -> HttpResponse:
    """Render the page; its form may lead to the address of the app, which browsers check after redirects."""
    target = asked.form_target if asked is not None else address.partition("?")[0]
    policy = TRUSTED_TYPES_CSP | ({"form-action": [target]} if target else {})

    @csp_update(policy)
    def show(page: HttpRequest) -> HttpResponse:
        return render(page, template, context, status=status)

    response = cast("HttpResponse", show(request))
    response.headers["Referrer-Policy"] = "same-origin"
    return response


def _same_page(request: HttpRequest) -> HttpResponse:
    """Return to the page with a GET request."""
    response = HttpResponseRedirect(f"{request.path}?{request.META.get('QUERY_STRING', '')}")
    response.status_code = SEE_OTHER
    return response


# No cookie authenticates this: the header has the token of the session, which no other page has.
@csrf_exempt
@require_POST
@cache_control(no_store=True)
def continue_session(request: HttpRequest) -> HttpResponse:
    """Let the player who uses this browser be signed in on the page above, given the token of the session."""
    try:
        player, session = _session_of(request)
    except Problem as problem:
        return problem_response(problem, accept_language(request))
    response = HttpResponse(status=NO_CONTENT)
    remember_sign_in(response, request, player, token=session)
    return response


def _session_of(request: HttpRequest) -> tuple[Player, str]:
    """Return the player and the public id of the session whose token the request has."""
    found = BearerTokenAuthentication().authenticate(request)  # type: ignore[arg-type]  # reads META only
    if found is None:
        raise Problem("not_authenticated")
    player, credentials = found
    session = sessions_of(player).filter(digest=credentials.token.digest).first()
    if session is None:
        raise Problem("not_allowed", message("Only a token from logging in can sign in to an app."))
    return player, session.public_id
