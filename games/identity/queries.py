"""Read players and tokens, and render them for clients."""

from typing import Final, TypedDict

from django.db.models import QuerySet
from django.db.models.functions import Lower

from games.core.errors import Problem, require_found
from games.core.languages import message
from games.core.times import format_time
from games.identity.challenges import ChallengePolicyDocument, render_policy
from games.identity.models import (
    AccountNotice,
    AccountNoticeKind,
    ApiToken,
    Player,
    PlayerKind,
    TokenRow,
    username_skeleton_expression,
)

# The kinds of notices and channels that a player can choose. Both lists may grow.
NOTICE_KINDS: Final = (
    "invitation",
    "your_turn",
    "reminder",
    "caretaker",
    "match_end",
    "seek_matched",
    "rating_changed",
    "board_opened",
    "board_closed",
    "export_ready",
    "security",
)
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
    return require_found(active.select_related("owner", "challenge_policy").first())


def players_with_address(*, username: str | None = None, email: str | None = None) -> "QuerySet[Player]":
    """Filter active players with a confirmed e-mail address by name or address."""
    players = Player.objects.filter(is_active=True, email_confirmed=True).exclude(email="")
    if username is not None:
        players = players.alias(folded=Lower("username")).filter(folded=username.lower())
    if email is not None:
        players = players.alias(address=Lower("email")).filter(address=email.lower())
    return players


def tokens_of(player: Player) -> "QuerySet[ApiToken]":
    """Return the tokens of a player, without those of apps."""
    tokens: QuerySet[ApiToken] = ApiToken.objects.filter(user=player, authorization=None)
    return tokens


def sessions_of(player: Player) -> "QuerySet[ApiToken]":
    """Return the sessions of a player: the tokens from logging in."""
    return tokens_of(player).filter(session=True)


def bots_of(player: Player) -> "QuerySet[Player]":
    """Return the active bots of a player."""
    return player.bots.filter(is_active=True).select_related("owner", "challenge_policy")


class PlayerDocument(TypedDict):
    """A player, as in every response."""

    username: str
    kind: str
    display_name: str


class ProfileDocument(PlayerDocument):
    """The public profile of a player; a bot has an owner."""

    owner: str | None
    created_at: str | None
    created: str | None
    challenges: ChallengePolicyDocument | None


class AccountNoticeDocument(TypedDict):
    """A message of the operators to a player."""

    id: str
    kind: str
    text: str
    at: str | None
    until: str | None


class OwnAccountDocument(ProfileDocument):
    """The account of a player. E-mail address and notices need a token that may change the account."""

    email: str | None
    email_confirmed: bool | None
    time_zone: str
    language: str | None
    notifications: dict[str, list[str]]
    show_online: bool
    notices: list[AccountNoticeDocument]


class TokenDocument(TypedDict):
    """A token without its secret."""

    id: str
    name: str
    scopes: list[str]
    starts_with: str
    created_at: str | None
    created: str | None
    expires_at: str | None
    current: bool


class SessionDocument(TypedDict):
    """A device on which a player is logged in."""

    id: str
    device: str
    user_agent: str
    created_at: str | None
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
        "created_at": format_time(player.date_joined),
        "created": format_time(player.date_joined),
        "challenges": _challenges(player),
    }


def _challenges(player: Player) -> ChallengePolicyDocument | None:
    """Return the declaration of a bot, which the query of the player should select too."""
    return render_policy(getattr(player, "challenge_policy", None)) if player.kind == PlayerKind.BOT else None


def render_me(player: Player, *, include_email: bool) -> OwnAccountDocument:
    """Render the account of a player. E-mail address and notices need a token that may change the account."""
    notifications = {channel: player.notifications.get(channel, []) for channel in NOTICE_CHANNELS}
    return {
        **render_profile(player),
        "email": player.email or None if include_email else None,
        "email_confirmed": player.email_confirmed if include_email else None,
        "time_zone": player.time_zone,
        "language": player.language or None,
        "notifications": notifications,
        "show_online": player.show_online,
        "notices": [render_account_notice(each) for each in open_notices(player)] if include_email else [],
    }


def open_notices(player: Player) -> "QuerySet[AccountNotice]":
    """Return the messages of operators that a player has not acknowledged yet, oldest first."""
    notices: QuerySet[AccountNotice] = AccountNotice.objects.filter(player=player, acknowledged_at=None)
    return notices.order_by("pk")


def render_account_notice(notice: AccountNotice) -> AccountNoticeDocument:
    """Render a message of the operators."""
    return {
        "id": notice.public_id,
        "kind": notice.kind,
        "text": notice.text,
        "at": format_time(notice.at),
        "until": format_time(notice.until),
    }


def suspension_problem(player: Player) -> Problem:
    """Return the response to a suspended player: until when, and the reason that the operators gave."""
    until = format_time(player.suspended_until)
    end = f"{player.suspended_until:%Y-%m-%d %H:%M} UTC"
    notices = AccountNotice.objects.filter(player=player, kind=AccountNoticeKind.SUSPENSION).order_by("-pk")
    reason = notices.values_list("text", flat=True).first()
    detail = (
        message("This account is suspended until {end}.", end=end)
        if reason is None
        else message("This account is suspended until {end}: {reason}", end=end, reason=reason)
    )
    return Problem("account_suspended", detail, until=until)


def render_session(token: ApiToken, *, current: TokenRow, device: str) -> SessionDocument:
    """Render a session. Use is noticed when it extends the expiry, at most once an hour."""
    expiry, sliding = token.expiry, token.sliding
    last_used = token.created if expiry is None or sliding is None else expiry - sliding
    return {
        "id": token.public_id,
        "device": device,
        "user_agent": token.user_agent,
        "created_at": format_time(token.created),
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
        "created_at": format_time(token.created),
        "created": format_time(token.created),
        "expires_at": format_time(token.expiry),
        "current": current is not None and current.digest == token.digest,
    }
