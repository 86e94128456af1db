"""Bearer token authentication and scope-based permissions."""

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple

from django.utils import timezone
from knox.crypto import hash_token
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from games.core.errors import Problem
from games.core.languages import message
from games.identity.models import Player, Scope, TokenRow
from games.identity.queries import suspension_problem
from games.identity.services import renew_token
from games.matches import store
from games.matches.store import MatchRow, read_match, require_visible

_HEADER_PARTS: Final = 2
_MAX_TOKEN_LENGTH: Final = 200


class Credentials(NamedTuple):
    """The value of `request.auth`: the token, and the match if it was read by the same query."""

    token: TokenRow
    match: MatchRow | None = None


class BearerTokenAuthentication(BaseAuthentication):
    """Authenticate by bearer token, and reject an invalid token even on public endpoints."""

    def authenticate(self, request: Request) -> tuple[Player, Credentials] | None:
        """Return the player and the credentials, or None if the request has no `Authorization` header."""
        header = request.META.get("HTTP_AUTHORIZATION", "")
        if not header:
            return None
        parts = header.split()
        if len(parts) != _HEADER_PARTS or parts[0].lower() != "bearer" or len(parts[1]) > _MAX_TOKEN_LENGTH:
            raise Problem("not_authenticated", message("Send the token as `Authorization: Bearer <token>`."))
        if not parts[1].isascii():
            raise _invalid_token()
        token, match = self.find(request, hash_token(parts[1]))
        now = timezone.now()
        if token is None or not token.is_valid(now):
            raise _invalid_token()
        if token.player.is_suspended:
            raise suspension_problem(token.player)
        if token.is_renewable(now):
            renew_token(token=token, now=now)
        return token.player, Credentials(token, match)

    def find(self, request: Request, digest: str) -> tuple[TokenRow | None, MatchRow | None]:
        """Return the token with this digest, valid or not, and the match if the same query reads it."""
        return store.find_token(digest), None

    def authenticate_header(self, request: Request) -> str:
        """Return the value of the `WWW-Authenticate` header."""
        return 'Bearer realm="haggis"'


class MatchTokenAuthentication(BearerTokenAuthentication):
    """Read the token together with the match of the request: one round trip instead of two."""

    def find(self, request: Request, digest: str) -> tuple[TokenRow | None, MatchRow | None]:
        """Return the token and the match named in the URL, without checking who may see it."""
        return store.find_token_and_match(digest, request.parser_context["kwargs"]["match_id"])


def match_of(request: Request) -> MatchRow | None:
    """Return the match that was read with the token, without checking who may see it, or None."""
    return request.auth.match if isinstance(request.auth, Credentials) else None


def visible_match(request: Request, match_id: str) -> MatchRow:
    """Return the match of a request if its viewer may see it, else raise 404."""
    match, player = match_of(request), current_player(request)
    return read_match(match_id, player) if match is None else require_visible(match, player)


def _invalid_token() -> Problem:
    return Problem("not_authenticated", message("The token is unknown, revoked or expired."))


def current_player(request: Request) -> Player | None:
    """Return the authenticated player, or None for an anonymous request."""
    return request.user if isinstance(request.user, Player) else None


def require_player(request: Request) -> Player:
    """Return the authenticated player, or raise 401."""
    if not isinstance(request.user, Player):
        raise Problem("not_authenticated")
    return request.user


def require_token(request: Request) -> TokenRow:
    """Return the token of the request, or raise 401."""
    if not isinstance(request.auth, Credentials):
        raise Problem("not_authenticated")
    return request.auth.token


class Access(Enum):
    """Access rules that require no scope."""

    ANYONE = "anyone"
    SIGNED_IN = "signed in"


AccessRule = Access | Scope | tuple[Scope, ...]

ANYONE: Final = Access.ANYONE
SIGNED_IN: Final = Access.SIGNED_IN
# Playing: `matches:play` for people, `bot:play` for bots.
PLAY: Final = (Scope.MATCHES_PLAY, Scope.BOT_PLAY)


class ScopePermission(BasePermission):
    """Enforce the access rule that the view declares for the method."""

    def has_permission(self, request: Request, view: object) -> bool:
        """Raise a problem that names the missing scope instead of returning False."""
        access: Mapping[str, AccessRule] = getattr(view, "access", {})
        method = "GET" if request.method == "HEAD" else request.method or ""
        if method in access:
            if not getattr(view, "allows_apps", True):
                _refuse_apps(request)
            check_access(access[method], request)
        return True  # a method that the view does not have is answered with 405 for every caller


def _refuse_apps(request: Request) -> None:
    """Raise 403 if an app makes the request, with any scope."""
    if isinstance(request.auth, Credentials) and request.auth.token.authorization_id is not None:
        raise Problem(
            "insufficient_scope", message("An app that a player has authorized cannot use this."), scopes=[]
        )


def check_access(rule: AccessRule, request: Request) -> None:
    """Raise 401 without a token, and 403 if the token lacks every accepted scope."""
    if rule is Access.ANYONE:
        return
    token = require_token(request)
    accepted = scopes_of(rule)
    if accepted and not token.scope_set.intersection(accepted):
        raise Problem(
            "insufficient_scope",
            message("The token needs one of these scopes: {scopes}.", scopes=", ".join(accepted)),
            scopes=list(accepted),
        )


def scopes_of(rule: AccessRule) -> tuple[Scope, ...]:
    """Return the scopes of which the token needs one, or an empty tuple if it needs none."""
    match rule:
        case Access():
            return ()
        case Scope():
            return (rule,)
        case _:
            return rule
