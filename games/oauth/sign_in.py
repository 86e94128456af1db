"""Who uses the consent page: a short-lived signed cookie, sent to the pages below `/oauth` only.

The pages of the service have no cookies; the API authenticates with tokens. So there is no session that
another page could use.
"""

from datetime import timedelta
from typing import Final, NamedTuple

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare

from games.identity.models import ApiToken, Player

COOKIE: Final = "haggis_oauth"
COOKIE_PATH: Final = "/oauth"
LIFETIME: Final = timedelta(minutes=15)
_SALT: Final = "games.oauth.sign_in"


class _Stored(NamedTuple):
    """What the cookie says: the player, a hash that changes with the password, the session it came from."""

    player: int
    password: str
    token: str


def signed_in_player(request: HttpRequest) -> Player | None:
    """Return the player who has signed in on this page, or None."""
    try:
        stored = _Stored(*signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=LIFETIME))
    except (signing.BadSignature, TypeError):
        return None
    player = Player.objects.filter(pk=stored.player, is_active=True).first()
    if player is None or player.is_suspended:
        return None
    if not constant_time_compare(stored.password, player.get_session_auth_hash()):
        return None
    if stored.token and not ApiToken.objects.filter(public_id=stored.token, user=player).exists():
        return None
    return player


def remember_sign_in(response: HttpResponse, request: HttpRequest, player: Player, token: str = "") -> None:
    """Let the browser be the player on this page for some minutes, while the session `token` lasts."""
    stored = _Stored(player.pk, player.get_session_auth_hash(), token)
    response.set_cookie(
        COOKIE,
        signing.dumps(stored, salt=_SALT),
        max_age=LIFETIME,
        path=COOKIE_PATH,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


def discard_sign_in(response: HttpResponse) -> None:
    """Sign out of this page."""
    response.delete_cookie(COOKIE, path=COOKIE_PATH, samesite="Lax")
