"""Read players and tokens, and render them for clients."""

from typing import Final, TypedDict

from django.db.models import QuerySet
from django.db.models.functions import Lower

from games.core.errors import require_found
from games.core.times import format_time
from games.identity.models import ApiToken, Player, TokenRow, username_skeleton_expression

# The kinds of notices and channels that a player can choose. Both lists may grow.
NOTICE_KINDS: Final = ("invitation", "your_turn", "reminder", "caretaker", "match_end")
NOTICE_CHANNELS: Final = ("email", "digest", "push")


def players_by_username(username: str) -> "QuerySet[Player]":
    """Filter players by name, case-insensitively, using the unique index on the lower-case name."""
    return Player.objects.alias(folded=Lower("username")).filter(folded=username.lower())


def find_player(username: str) -> Player | None:
    """Return the player with this name, or `None`; the account may be inactive."""
    return players_by_username(username).first()


def players_by_skeleton(skeleton: str) -> "QuerySet[Player]":
    """Filter players whose names look like this one (`username_skeleton`), using the index on it."""
    return Player.objects.alias(skeleton=username_skeleton_expression()).filter(skeleton=skeleton)


def public_player(username: str) -> Player:
    """Return the active player with this name; raise 404 if there is none."""
    active = players_by_username(username).filter(is_active=True)
    return require_found(active.select_related("owner").first())


def players_with_address(*, username: str | None = None, email: str | None = None) -> "QuerySet[Player]":
    """Filter active players with a confirmed e-mail address by name or address."""
    players = Player.objects.filter(is_active=True, email_confirmed=True).exclude(email="")
    if username is not None:
        players = players.alias(folded=Lower("username")).filter(folded=username.lower())
    if email is not None:
        players = players.alias(address=Lower("email")).filter(address=email.lower())
    return players


def tokens_of(player: Player) -> "QuerySet[ApiToken]":
    """Return the tokens of a player."""
    tokens: QuerySet[ApiToken] = ApiToken.objects.filter(user=player)
    return tokens


def sessions_of(player: Player) -> "QuerySet[ApiToken]":
    """Return the sessions of a player: the tokens from logging in."""
    return tokens_of(player).filter(session=True)


def bots_of(player: Player) -> "QuerySet[Player]":
    """Return the active bots of a player."""
    return player.bots.filter(is_active=True).select_related("owner")


class PlayerDocument(TypedDict):
    """A player, as in every response."""

    username: str
    kind: str
    display_name: str


class ProfileDocument(PlayerDocument):
    """The public profile of a player; a bot has an owner."""

    owner: str | None
    created: str | None


class OwnAccountDocument(ProfileDocument):
    """The account of a player. The e-mail address needs a token that may change the account."""

    email: str | None
    email_confirmed: bool | None
    time_zone: str
    notifications: dict[str, list[str]]


class TokenDocument(TypedDict):
    """A token without its secret."""

    id: str
    name: str
    scopes: list[str]
    starts_with: str
    created: str | None
    expires_at: str | None
    current: bool


class SessionDocument(TypedDict):
    """A device on which a player is logged in."""

    id: str
    device: str
    user_agent: str
    created: str | None
    last_used: str | None
    expires_at: str | None
    current: bool


def render_player(player: Player) -> PlayerDocument:
    """Render a player as in every response."""
    return {"username": player.username, "kind": player.kind, "display_name": player.display_name}


def render_profile(player: Player) -> ProfileDocument:
    """Render the public profile of a player; a bot has an owner."""
    owner = player.owner
    return {
        **render_player(player),
        "owner": None if owner is None else owner.username,
        "created": format_time(player.date_joined),
    }


def render_me(player: Player, *, include_email: bool) -> OwnAccountDocument:
    """Render the account of a player. The e-mail address needs a token that may change the account."""
    notifications = {channel: player.notifications.get(channel, []) for channel in NOTICE_CHANNELS}
    return {
        **render_profile(player),
        "email": player.email or None if include_email else None,
        "email_confirmed": player.email_confirmed if include_email else None,
        "time_zone": player.time_zone,
        "notifications": notifications,
    }


def render_session(token: ApiToken, *, current: TokenRow, device: str) -> SessionDocument:
    """Render a session. Use is noticed when it extends the expiry, at most once an hour."""
    expiry, sliding = token.expiry, token.sliding
    last_used = token.created if expiry is None or sliding is None else expiry - sliding
    return {
        "id": token.public_id,
        "device": device,
        "user_agent": token.user_agent,
        "created": format_time(token.created),
        "last_used": format_time(last_used),
        "expires_at": format_time(token.expiry),
        "current": current.digest == token.digest,
    }


def render_token(token: ApiToken, *, current: TokenRow | None = None) -> TokenDocument:
    """Render a token without its secret."""
    return {
        "id": token.public_id,
        "name": token.name,
        "scopes": token.scopes.split(),
        "starts_with": token.token_key,
        "created": format_time(token.created),
        "expires_at": format_time(token.expiry),
        "current": current is not None and current.digest == token.digest,
    }
