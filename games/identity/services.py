"""Issue, renew and revoke tokens, and lock a player."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from knox.crypto import hash_token
from knox.models import get_digest_token

from games.core.errors import Problem, invalid_field
from games.core.languages import message
from games.identity.app_models import Authorization
from games.identity.models import (
    BOT_SCOPES,
    HUMAN_SCOPES,
    MAX_USER_AGENT_LENGTH,
    ApiToken,
    Closing,
    Player,
    PlayerKind,
    Scope,
    TokenRow,
    format_scopes,
)
from games.identity.queries import suspension_problem

LIFETIME: Final = timedelta(days=90)
GUEST_LIFETIME: Final = timedelta(days=365)
MAX_LIFETIME: Final = timedelta(days=5 * 366)
# How long a session is fresh after the password was entered.
FRESH_PERIOD: Final = timedelta(minutes=10)
MAX_TOKENS: Final = 100
CLAIM_FIRST: Final = message("A guest has no password: claim the account first with POST /auth/claim.")
LOG_IN_FIRST: Final = message("Only a token from logging in can become fresh.")
# The length of the prefix that is stored in plain text, by which the owner recognizes a token.
PREFIX_LENGTH: Final = len("haggis_") + 8


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token and its secret, which is shown once."""

    token: ApiToken
    secret: str = field(repr=False)


def renew_token(*, token: TokenRow, now: datetime) -> None:
    """Extend the expiry of a sliding token after use."""
    if token.sliding is not None:
        expiry = now + token.sliding
        ApiToken.objects.filter(digest=token.digest, expiry__lt=expiry).update(expiry=expiry)


def log_in_token(*, player: Player, name: str = "", user_agent: str = "") -> NewToken:
    """Create a token after a successful login, with all scopes of this kind of account.

    The token of a person is a session, which is fresh at first; that of a bot is for a program.
    """
    lifetime = GUEST_LIFETIME if player.kind == PlayerKind.GUEST else LIFETIME
    scopes = BOT_SCOPES if player.kind == PlayerKind.BOT else HUMAN_SCOPES
    is_person = player.kind != PlayerKind.BOT
    token = ApiToken(
        name=name,
        session=is_person,
        fresh_until=timezone.now() + FRESH_PERIOD if is_person else None,
        user_agent=user_agent[:MAX_USER_AGENT_LENGTH],
    )
    with transaction.atomic():
        player = lock_player(player)
        _delete_expired_tokens(player)
        _delete_oldest_tokens(player)
        return _create(token, player, scopes, lifetime=lifetime)


def require_fresh(*, token: TokenRow) -> None:
    """Raise `reauthentication_required` unless the password was entered in this session a short time ago."""
    stored = ApiToken.objects.filter(digest=token.digest).first()
    if stored is None:
        raise Problem("not_authenticated")  # revoked by a concurrent request
    if stored.session and stored.fresh_until is not None and stored.fresh_until > timezone.now():
        return
    if token.player.kind == PlayerKind.GUEST:
        raise Problem("reauthentication_required", CLAIM_FIRST)
    raise Problem("reauthentication_required", "" if stored.session else LOG_IN_FIRST)


def require_fresh_or_guest(*, token: TokenRow) -> None:
    """Do the same as `require_fresh`, except for the session of a guest, who has no password."""
    if token.player.kind != PlayerKind.GUEST or not is_session(token=token):
        require_fresh(token=token)


def is_session(*, token: TokenRow) -> bool:
    """Return whether a token is from logging in."""
    return ApiToken.objects.filter(digest=token.digest, session=True).exists()


def require_session(*, token: TokenRow) -> None:
    """Raise `not_allowed` unless a token is from logging in, so that programs cannot log the owner out."""
    if not is_session(token=token):
        raise Problem("not_allowed", message("Only a token from logging in can list and end sessions."))


def refresh_session(*, token: TokenRow) -> datetime:
    """Make a session fresh and return until when it is."""
    fresh_until = timezone.now() + FRESH_PERIOD
    ApiToken.objects.filter(digest=token.digest, session=True).update(fresh_until=fresh_until)
    return fresh_until


def end_session(*, player: Player, public_id: str) -> None:
    """Log one device out; raise 404 if there is no such session."""
    deleted, _ = ApiToken.objects.filter(user=player, session=True, public_id=public_id).delete()
    if not deleted:
        raise Problem("not_found")


def end_other_sessions(*, player: Player, token: TokenRow) -> None:
    """Log every device out except the one that makes the request."""
    ApiToken.objects.filter(user=player, session=True).exclude(digest=token.digest).delete()


def create_token(
    *,
    player: Player,
    name: str,
    scopes: Iterable[Scope],
    granted: frozenset[Scope],
    expires_at: datetime | None = None,
) -> NewToken:
    """Create a personal token. Its scopes must be among those of the current token (`granted`).

    Without `expires_at` it expires 90 days after its last use.
    """
    if not granted.issuperset(scopes):
        raise invalid_field(
            "/scopes",
            "beyond_this_token",
            message("The token of this request does not have all of these scopes."),
        )
    now = timezone.now()
    if expires_at is not None and expires_at <= now:
        raise invalid_field("/expires_at", "in_the_past", message("The time must be in the future."))
    if expires_at is not None and expires_at > now + MAX_LIFETIME:
        raise invalid_field("/expires_at", "too_large", message("A token is valid for at most five years."))
    with transaction.atomic():
        lock_player(player)
        _delete_expired_tokens(player)
        if ApiToken.objects.filter(user=player, authorization=None).count() >= MAX_TOKENS:
            raise Problem(
                "limit_reached",
                message("An account can have at most {most} tokens: delete one first.", most=MAX_TOKENS),
            )
        lifetime = LIFETIME if expires_at is None else None
        return _create(ApiToken(name=name), player, scopes, lifetime=lifetime, expires_at=expires_at)


def create_app_token(*, authorization: Authorization, secret: str, scopes: str, expires_at: datetime) -> None:
    """Store an access token of an app that the player has authorized."""
    ApiToken(
        user=authorization.player,
        authorization=authorization,
        digest=hash_token(secret),
        token_key=secret[:PREFIX_LENGTH],
        expiry=expires_at,
        scopes=scopes,
    ).save(force_insert=True)


def _create(
    token: ApiToken,
    player: Player,
    scopes: Iterable[Scope],
    *,
    lifetime: timedelta | None = None,
    expires_at: datetime | None = None,
) -> NewToken:
    ends_at = timezone.now() + lifetime if lifetime is not None else expires_at
    digest, secret = get_digest_token()
    token.user, token.digest, token.token_key = player, digest, secret[:PREFIX_LENGTH]
    token.expiry, token.sliding, token.scopes = ends_at, lifetime, format_scopes(scopes)
    token.save(force_insert=True)
    return NewToken(token, secret)


def _delete_expired_tokens(player: Player) -> None:
    ApiToken.objects.filter(user=player, expiry__lte=timezone.now()).delete()


def _delete_oldest_tokens(player: Player) -> None:
    """Delete the oldest tokens above the limit, so that a login always succeeds."""
    newest_first = ApiToken.objects.filter(user=player, authorization=None).order_by("-created")
    surplus = newest_first.values_list("digest", flat=True)[MAX_TOKENS - 1 :]
    ApiToken.objects.filter(digest__in=list(surplus)).delete()


def revoke_token(*, token: TokenRow) -> None:
    """Revoke the token of a request."""
    ApiToken.objects.filter(digest=token.digest).delete()


def delete_token(*, player: Player, token: TokenRow, public_id: str) -> None:
    """Delete a token of a player; raise 404 if it does not exist, or is a session and `token` is not."""
    deletable = ApiToken.objects.filter(user=player, public_id=public_id, authorization=None)
    if not is_session(token=token):
        deletable = deletable.filter(session=False)
    deleted, _ = deletable.delete()
    if not deleted:
        raise Problem("not_found")


def revoke_all(*, player: Player, except_token: TokenRow | None = None) -> None:
    """Delete all tokens of a player, or all but `except_token`, and end all authorizations of apps."""
    others = Q() if except_token is None else ~Q(digest=except_token.digest)
    Authorization.objects.filter(player=player).delete()
    ApiToken.objects.filter(others, user=player).delete()


def lock_player(player: Player) -> Player:
    """Lock an active player until the transaction ends, and return the row as it is now.

    Every service that writes something of a player, or gives them a seat, locks them first. So concurrent
    requests cannot exceed a limit, and nothing can be written once the account is closed: it raises
    `not_authenticated` then, as the token of the request has been revoked, and `account_suspended` during a
    suspension.

    Players are locked before matches, and several players in the order of their ids.
    """
    return require_active(lock_players([player.pk]), player)


def lock_players(player_ids: Iterable[int]) -> dict[int, Player]:
    """Lock players in the order of their ids and return the active ones by id."""
    locked = Player.objects.select_for_update(no_key=True).filter(pk__in=set(player_ids)).order_by("pk")
    return {player.pk: player for player in list(locked) if player.is_active}


def require_active(locked: Mapping[int, Player], player: Player) -> Player:
    """Return the locked row of the player of the request.

    Raise `not_authenticated` if it is not active, and `account_suspended` if it is suspended.
    """
    current = _require_found(locked, player)
    require_not_suspended(current)
    return current


def _require_found(locked: Mapping[int, Player], player: Player) -> Player:
    if player.pk not in locked:
        raise Problem("not_authenticated", message("The account was deleted or banned."))
    return locked[player.pk]


def require_not_suspended(player: Player) -> None:
    """Raise `account_suspended` during a suspension of this player."""
    if player.is_suspended:
        raise suspension_problem(player)


def seatable(locked: Mapping[int, Player]) -> dict[int, Player]:
    """Return the locked players who are not suspended, and so can be given a seat."""
    return {player_id: player for player_id, player in locked.items() if not player.is_suspended}


def suspend_account(*, player: Player, until: datetime | None) -> list[Player]:
    """Suspend an account and its bots until a time, or lift the suspension with `None`. Return the accounts.

    A bot that has a suspension of its own stays suspended until the later end, and so does a bot whose owner
    is suspended. From the commit on, `lock_player` refuses these accounts, and nobody can give them a seat.
    Their tokens stay, but authenticate no request before the end of the suspension. Authorizations
    of apps end.
    """
    with transaction.atomic():
        # The owner is locked too: its suspension counts for the bot.
        family = [player.pk, *player.bots.values_list("pk", flat=True)]
        locked = lock_players([*family, *([] if player.owner_id is None else [player.owner_id])])
        current = locked.get(player.pk)
        if current is None:
            raise Problem("not_allowed", "This account is banned or deleted.")
        # The lock on their owner prevents new bots.
        bots = current.bots.select_for_update(no_key=True).filter(deleted_at=None).order_by("pk")
        accounts = [current, *bots]
        current.own_suspension_until = until
        owner = current if current.owner_id is None else locked.get(current.owner_id)
        for account in accounts:
            ends = (account.own_suspension_until, None if owner is None else owner.own_suspension_until)
            account.suspended_until = max((end for end in ends if end is not None), default=None)
            account.save(update_fields=["suspended_until", "own_suspension_until"])
        if until is not None:
            Authorization.objects.filter(player__in=accounts).delete()
    player.suspended_until, player.own_suspension_until = current.suspended_until, until
    return accounts


def close_account(*, player: Player, closing: Closing) -> list[Player]:
    """Deactivate an account and its bots, revoke their tokens, end what is of apps. Return the accounts.

    This is the first step of a ban or a deletion, in a transaction of its own. From its commit on, no service
    writes anything for these accounts (`lock_player`) and nobody can give them a seat, so the following steps
    find everything there is, and need no lock on the player while they wait for matches.
    """
    with transaction.atomic():
        bots = list(player.bots.values_list("pk", flat=True))
        owner = _require_found(lock_players([player.pk, *bots]), player)
        # The lock on their owner prevents new bots.
        accounts = [owner, *owner.bots.select_for_update(no_key=True).filter(deleted_at=None).order_by("pk")]
        ids = [account.pk for account in accounts]
        Authorization.objects.filter(Q(player__in=ids) | Q(app__owner__in=ids)).delete()
        ApiToken.objects.filter(user__in=ids).delete()
        Player.objects.filter(pk__in=ids).update(is_active=False, closing=closing)
    return accounts
