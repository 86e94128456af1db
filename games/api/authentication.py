"""Who asks: `Authorization: Bearer <token>`, read together with its player in one query."""

from typing import Final

from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.request import Request

from games.errors import Problem
from games.models import ApiToken, Player
from games.selectors.matches import MatchRow, read_match, shown_match
from games.services.accounts.tokens import find_token, find_token_and_match

_PARTS: Final = 2
_LONGEST: Final = 200


class BearerToken(BaseAuthentication):
    """A token that is none is refused also where nobody needs one: its sender believes to be known."""

    def authenticate(self, request: Request) -> tuple[Player, ApiToken] | None:
        """The player and the token; None when no token is shown."""
        header = get_authorization_header(request)
        if not header:
            return None
        parts = header.split()
        if len(parts) != _PARTS or parts[0].lower() != b"bearer" or len(parts[1]) > _LONGEST:
            raise Problem("not_authenticated", "The header is `Authorization: Bearer <token>`.")
        if not parts[1].isascii():
            raise _unknown()
        token = self.find(request, parts[1].decode("ascii"))
        if token is None:
            raise _unknown()
        return token.user, token

    def find(self, request: Request, secret: str) -> ApiToken | None:
        """The token with this secret."""
        return find_token(secret=secret)

    def authenticate_header(self, request: Request) -> str:
        """How to ask again."""
        return 'Bearer realm="haggis"'


class TokenAtTable(BearerToken):
    """A token read together with the match that the request is about: one trip instead of two."""

    def find(self, request: Request, secret: str) -> ApiToken | None:
        """The token, while the match waits to be asked for."""
        match_id = request.parser_context["kwargs"]["match_id"]
        token, request.match_read = find_token_and_match(secret=secret, match_id=match_id)  # type: ignore[attr-defined]  # for `match_read`
        return token


def match_read(request: Request) -> MatchRow | None:
    """The match as it was read with the token, whoever may see it; None where it was not."""
    return getattr(request, "match_read", None)


def match_shown(request: Request, match_id: str) -> MatchRow:
    """The match of a request, if whoever asks may see it."""
    read, player = match_read(request), viewer(request)
    return read_match(match_id, player) if read is None else shown_match(read, player)


def _unknown() -> Problem:
    return Problem("not_authenticated", "The token is unknown, revoked or expired.")


def viewer(request: Request) -> Player | None:
    """The player who asks, None for whoever shows no token."""
    return request.user if isinstance(request.user, Player) else None


def signed_in(request: Request) -> Player:
    """The player who asks, where the permissions let nobody else through."""
    if not isinstance(request.user, Player):
        raise Problem("not_authenticated")
    return request.user


def token_of(request: Request) -> ApiToken:
    """The token that was shown, where the permissions let nobody through without one."""
    if not isinstance(request.auth, ApiToken):
        raise Problem("not_authenticated")
    return request.auth
