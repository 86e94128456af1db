"""Read players and tokens, and render them for clients."""

from typing import Any, Final

from django.db.models import QuerySet
from django.db.models.functions import Lower

from games.core.errors import Problem
from games.core.times import format_time
from games.identity.models import ApiToken, Player, TokenRow

Form = dict[str, Any]

# What a player may be told of, and by which way. Both lists may grow.
NOTICE_KINDS: Final = ("invitation", "your_turn", "reminder", "caretaker", "match_end")
NOTICE_CHANNELS: Final = ("email", "digest", "push")


def players_by_username(username: str) -> "QuerySet[Player]":
    """The player of this name in any case, by the index that keeps names apart."""
    return Player.objects.alias(folded=Lower("username")).filter(folded=username.lower())


def find_player(username: str) -> Player | None:
    """The player of this name, whatever has become of the account."""
    return players_by_username(username).first()


def public_player(username: str) -> Player:
    """The player of this name, as anybody may look them up."""
    player = players_by_username(username).filter(is_active=True).select_related("owner").first()
    if player is None:
        raise Problem("not_found")
    return player


def players_with_address(*, username: str | None = None, email: str | None = None) -> "QuerySet[Player]":
    """Active players with a confirmed address, by name or by the address."""
    players = Player.objects.filter(is_active=True, email_confirmed=True).exclude(email="")
    if username is not None:
        players = players.alias(folded=Lower("username")).filter(folded=username.lower())
    if email is not None:
        players = players.alias(address=Lower("email")).filter(address=email.lower())
    return players


def tokens_of(player: Player) -> "QuerySet[ApiToken]":
    """The tokens of a player, without what they are known by."""
    tokens: QuerySet[ApiToken] = ApiToken.objects.filter(user=player)
    return tokens


def bots_of(player: Player) -> "QuerySet[Player]":
    """The bots of a player that are still there."""
    return player.bots.filter(is_active=True).select_related("owner")


def render_player(player: Player) -> Form:
    """A player as they stand in every answer."""
    return {"username": player.username, "kind": player.kind, "display_name": player.display_name}


def render_profile(player: Player) -> Form:
    """What anybody may know of a player; a bot says whose it is."""
    owner = player.owner
    return {
        **render_player(player),
        "owner": None if owner is None else owner.username,
        "created": format_time(player.date_joined),
    }


def render_me(player: Player, *, whole: bool) -> Form:
    """What a player knows of themselves; the address only where the token may change the account."""
    notifications = {way: player.notifications.get(way, []) for way in NOTICE_CHANNELS}
    return {
        **render_profile(player),
        "email": player.email or None if whole else None,
        "email_confirmed": player.email_confirmed if whole else None,
        "time_zone": player.time_zone,
        "notifications": notifications,
    }


def render_token(token: ApiToken, *, current: TokenRow | None = None) -> Form:
    """What a token is, without the token."""
    return {
        "id": token.public_id,
        "name": token.name,
        "scopes": token.scopes.split(),
        "starts_with": token.token_key,
        "created": format_time(token.created),
        "expires_at": format_time(token.expiry),
        "current": current is not None and current.digest == token.digest,
    }
