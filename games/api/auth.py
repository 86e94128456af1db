"""Bearer tokens, and the scopes that each method of a view requires."""

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple

from knox.crypto import hash_token
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from games.core.errors import Problem
from games.identity.models import Player, Scope, TokenRow
from games.identity.services import _valid, renew_token
from games.matches import store
from games.matches.store import MatchRow, read_match, require_visible


def find_token(*, secret: str) -> TokenRow | None:
    """Return the valid token with this secret and its player, in one query."""
    return _valid(store.find_token(hash_token(secret)))


def find_token_and_match(*, secret: str, match_id: str) -> tuple[TokenRow | None, MatchRow | None]:
    """Return the same, and from the same query a match, whoever may see it."""
    token, match = store.find_token_and_match(hash_token(secret), match_id)
    return _valid(token), match


_PARTS: Final = 2
_LONGEST: Final = 200


class Credentials(NamedTuple):
    """What a request was authenticated by, as `request.auth`: its token, and the match read along with it."""

    token: TokenRow
    match: MatchRow | None = None


class BearerTokenAuthentication(BaseAuthentication):
    """A token that is none is refused also where nobody needs one: its sender believes to be known."""

    def authenticate(self, request: Request) -> tuple[Player, Credentials] | None:
        """Return the player with the token; None if no token is shown."""
        header = get_authorization_header(request)
        if not header:
            return None
        parts = header.split()
        if len(parts) != _PARTS or parts[0].lower() != b"bearer" or len(parts[1]) > _LONGEST:
            raise Problem("not_authenticated", "The header is `Authorization: Bearer <token>`.")
        if not parts[1].isascii():
            raise _invalid_token()
        credentials = self.find(request, parts[1].decode("ascii"))
        if credentials is None:
            raise _invalid_token()
        renew_token(token=credentials.token)
        return credentials.token.player, credentials

    def find(self, request: Request, secret: str) -> Credentials | None:
        """Read the token with this secret."""
        token = find_token(secret=secret)
        return None if token is None else Credentials(token)

    def authenticate_header(self, request: Request) -> str:
        """How to ask again."""
        return 'Bearer realm="haggis"'


class MatchTokenAuthentication(BearerTokenAuthentication):
    """A token read together with the match that the request is about: one round trip instead of two."""

    def find(self, request: Request, secret: str) -> Credentials | None:
        """Read both."""
        match_id = request.parser_context["kwargs"]["match_id"]
        token, match = find_token_and_match(secret=secret, match_id=match_id)
        return None if token is None else Credentials(token, match)


def match_of(request: Request) -> MatchRow | None:
    """Return the match as it was read with the token, whoever may see it; None if it was not."""
    return request.auth.match if isinstance(request.auth, Credentials) else None


def visible_match(request: Request, match_id: str) -> MatchRow:
    """Return the match of a request if its viewer may see it, else raise 404."""
    read, player = match_of(request), current_player(request)
    return read_match(match_id, player) if read is None else require_visible(read, player)


def _invalid_token() -> Problem:
    return Problem("not_authenticated", "The token is unknown, revoked or expired.")


def current_player(request: Request) -> Player | None:
    """The player who asks, None for whoever shows no token."""
    return request.user if isinstance(request.user, Player) else None


def require_player(request: Request) -> Player:
    """The player who asks, where the permissions let nobody else through."""
    if not isinstance(request.user, Player):
        raise Problem("not_authenticated")
    return request.user


def require_token(request: Request) -> TokenRow:
    """The token that was shown, where the permissions let nobody through without one."""
    if not isinstance(request.auth, Credentials):
        raise Problem("not_authenticated")
    return request.auth.token


class Access(Enum):
    """What needs no scope."""

    ANYONE = "anyone"
    SIGNED_IN = "signed in"


AccessRule = Access | Scope | tuple[Scope, ...]

ANYONE: Final = Access.ANYONE
SIGNED_IN: Final = Access.SIGNED_IN
# At the table: people with their token, bots with theirs.
PLAY: Final = (Scope.MATCHES_PLAY, Scope.BOT_PLAY)


class ScopePermission(BasePermission):
    """Let through what the view declares for the method, and refuse with the name of what is missing."""

    def has_permission(self, request: Request, view: object) -> bool:
        """Refuse by raising, so that the answer can say more than no."""
        access: Mapping[str, AccessRule] = getattr(view, "access", {})
        method = "GET" if request.method == "HEAD" else request.method or ""
        if method in access:
            check_access(access[method], request)
        return True  # a method that the view does not have: 405 whoever asks


def check_access(needs: AccessRule, request: Request) -> None:
    """Refuse whoever has no token, or one that does not reach that far."""
    if needs is Access.ANYONE:
        return
    token = require_token(request)
    accepted = scopes_of(needs)
    if accepted and not token.scope_set.intersection(accepted):
        raise Problem(
            "insufficient_scope", f"The token needs the scope {' or '.join(accepted)}.", scopes=list(accepted)
        )


def scopes_of(needs: AccessRule) -> tuple[Scope, ...]:
    """The scopes any one of which is enough; none for what needs none."""
    match needs:
        case Access():
            return ()
        case Scope():
            return (needs,)
        case _:
            return needs
