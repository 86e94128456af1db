"""Who asks: `Authorization: Bearer <token>`, read together with its player in one query."""

from typing import Final

from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.request import Request

from games.errors import Problem
from games.models import ApiToken, Player
from games.services.accounts.tokens import Along, find_token

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
        token = find_token(secret=parts[1].decode("ascii"), along=self.along(request))
        if token is None:
            raise _unknown()
        return token.user, token

    def along(self, request: Request) -> Along | None:
        """What else to read with the token; nothing, unless a view has a reason."""
        return None

    def authenticate_header(self, request: Request) -> str:
        """How to ask again."""
        return 'Bearer realm="haggis"'


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
