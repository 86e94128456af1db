"""Read apps, authorizations, codes and refresh tokens, and render them for clients."""

from typing import Final, TypedDict

from django.db.models import Count, QuerySet
from django.utils.crypto import constant_time_compare

from games.core.times import format_time
from games.identity.app_models import Authorization, OAuthApp
from games.identity.models import HUMAN_SCOPES, Player, Scope
from games.oauth.models import OAuthCode, OAuthRefreshToken
from games.oauth.secret_texts import digest_of, family_key

# In the order of `Scope`. What apps can ask for: all that a person can do, but never to play as a bot.
APP_SCOPES: Final = tuple(scope for scope in Scope if scope in HUMAN_SCOPES)
DEFAULT_SCOPES: Final = (Scope.MATCHES_READ,)
_MAX_CLIENT_ID_LENGTH: Final = 40


class AppDocument(TypedDict):
    """An app, as its owner sees it."""

    id: str
    name: str
    website: str
    redirect_uris: list[str]
    players: int
    stopped: bool
    created_at: str | None


class AuthorizedAppDocument(TypedDict):
    """An app, as the players see it who have authorized it."""

    id: str
    name: str
    website: str
    owner: str


class AuthorizationDocument(TypedDict):
    """What a player lets an app do."""

    id: str
    app: AuthorizedAppDocument
    scopes: list[str]
    created_at: str | None
    last_used_at: str | None


def find_app(client_id: str) -> OAuthApp | None:
    """Return the app with this client id if it may get codes and tokens."""
    if not client_id.isascii() or "\0" in client_id or len(client_id) > _MAX_CLIENT_ID_LENGTH:
        return None
    app = OAuthApp.objects.select_related("owner").filter(client_id=client_id).first()
    return app if app is not None and app.is_working else None


def apps_of(player: Player) -> "QuerySet[OAuthApp]":
    """Return the apps of a player, each with the number of players who have authorized it."""
    apps: QuerySet[OAuthApp] = OAuthApp.objects.filter(owner=player)
    return apps.annotate(players=Count("authorizations"))


def authorizations_of(player: Player) -> "QuerySet[Authorization]":
    """Return what a player lets apps do."""
    authorizations: QuerySet[Authorization] = Authorization.objects.filter(player=player)
    return authorizations.select_related("app__owner")


def has_consented(*, player: Player, app: OAuthApp, scopes: set[Scope]) -> bool:
    """Return whether the player has let this app do all of it before."""
    found = Authorization.objects.filter(player=player, app=app).values_list("scopes", flat=True).first()
    return found is not None and scopes.issubset(found.split())


def find_code(*, app: OAuthApp, code: str) -> OAuthCode | None:
    """Return the code that was issued to this app, used or not."""
    codes = OAuthCode.objects.select_related("authorization__player")
    return codes.filter(digest=digest_of(code), authorization__app=app).first()


def find_family(*, app: OAuthApp, refresh_token: str) -> OAuthRefreshToken | None:
    """Return the family of a refresh token that was issued to this app, current or not."""
    key = family_key(refresh_token)
    if key is None:
        return None
    families = OAuthRefreshToken.objects.select_related("authorization__player")
    return families.filter(pk=digest_of(key), authorization__app=app).first()


def is_current(family: OAuthRefreshToken, refresh_token: str) -> bool:
    """Return whether this is the refresh token that was issued last."""
    return constant_time_compare(family.digest, digest_of(refresh_token))


def render_app(app: OAuthApp, *, players: int = 0) -> AppDocument:
    """Render an app for its owner."""
    return {
        "id": app.client_id,
        "name": app.name,
        "website": app.website,
        "redirect_uris": list(app.redirect_uris),
        "players": players,
        "stopped": app.stopped_at is not None,
        "created_at": format_time(app.created_at),
    }


def render_authorization(authorization: Authorization) -> AuthorizationDocument:
    """Render what a player lets an app do."""
    app = authorization.app
    return {
        "id": authorization.public_id,
        "app": {
            "id": app.client_id,
            "name": app.name,
            "website": app.website,
            "owner": app.owner.username,
        },
        "scopes": authorization.scopes.split(),
        "created_at": format_time(authorization.created_at),
        "last_used_at": format_time(authorization.last_used_at),
    }
