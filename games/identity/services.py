"""Issue, renew and revoke tokens, and lock a player."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from knox.models import get_digest_token

from games.core.errors import Problem, invalid_field
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

LIFETIME: Final = timedelta(days=90)
GUEST_LIFETIME: Final = timedelta(days=365)
MAX_LIFETIME: Final = timedelta(days=5 * 366)
# How long a session is fresh after the password was entered.
FRESH_PERIOD: Final = timedelta(minutes=10)
MAX_TOKENS: Final = 100
CLAIM_FIRST: Final = "A guest has no password: claim the account first with POST /auth/claim."
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
    if not stored.session or stored.fresh_until is None or stored.fresh_until <= timezone.now():
        detail = CLAIM_FIRST if token.player.kind == PlayerKind.GUEST else ""
        raise Problem("reauthentication_required", detail)


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
        raise Problem("not_allowed", "Only a token from logging in can list and end sessions.")


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
            "/scopes", "beyond_this_token", "The token of this request does not have all of these scopes."
        )
    now = timezone.now()
    if expires_at is not None and expires_at <= now:
        raise invalid_field("/expires_at", "in_the_past", "The time must be in the future.")
    if expires_at is not None and expires_at > now + MAX_LIFETIME:
        raise invalid_field("/expires_at", "too_large", "A token is valid for at most five years.")
    with transaction.atomic():
        lock_player(player)
        _delete_expired_tokens(player)
        if ApiToken.objects.filter(user=player).count() >= MAX_TOKENS:
            raise Problem(
                "limit_reached", f"An account can have at most {MAX_TOKENS} tokens: delete one first."
            )
        lifetime = LIFETIME if expires_at is None else None
        return _create(ApiToken(name=name), player, scopes, lifetime=lifetime, expires_at=expires_at)


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
    newest_first = ApiToken.objects.filter(user=player).order_by("-created")
    surplus = newest_first.values_list("digest", flat=True)[MAX_TOKENS - 1 :]
    ApiToken.objects.filter(digest__in=list(surplus)).delete()


def revoke_token(*, token: TokenRow) -> None:
    """Revoke the token of a request."""
    ApiToken.objects.filter(digest=token.digest).delete()


def delete_token(*, player: Player, token: TokenRow, public_id: str) -> None:
    """Delete a token of a player; raise 404 if it does not exist, or is a session and `token` is not."""
    deletable = ApiToken.objects.filter(user=player, public_id=public_id)
    if not is_session(token=token):
        deletable = deletable.filter(session=False)
    deleted, _ = deletable.delete()
    if not deleted:
        raise Problem("not_found")


def revoke_all(*, player: Player, except_token: TokenRow | None = None) -> None:
    """Delete all tokens of a player, or all but `except_token`."""
    others = Q() if except_token is None else ~Q(digest=except_token.digest)
    ApiToken.objects.filter(others, user=player).delete()


def lock_player(player: Player) -> Player:
    """Lock an active player until the transaction ends, and return the row as it is now.

    Every service that writes something of a player, or gives them a seat, locks them first. So concurrent
    requests cannot exceed a limit, and nothing can be written once the account is closed: it raises
    `not_authenticated` then, as the token of the request has been revoked.

    Players are locked before matches, and several players in the order of their ids.
    """
    return require_active(lock_players([player.pk]), player)


def lock_players(player_ids: Iterable[int]) -> dict[int, Player]:
    """Lock players in the order of their ids and return the active ones by id."""
    locked = Player.objects.select_for_update(no_key=True).filter(pk__in=set(player_ids)).order_by("pk")
    return {player.pk: player for player in list(locked) if player.is_active}


def require_active(locked: Mapping[int, Player], player: Player) -> Player:
    """Return the locked row of the player of the request; raise `not_authenticated` if it is not active."""
    if player.pk not in locked:
        raise Problem("not_authenticated", "The account was deleted or banned.")
    return locked[player.pk]


def close_account(*, player: Player, closing: Closing) -> list[Player]:
    """Deactivate an account and its bots, and revoke their tokens. Return the accounts.

    This is the first step of a ban or a deletion, in a transaction of its own. From its commit on, no service
    writes anything for these accounts (`lock_player`) and nobody can give them a seat, so the following steps
    find everything there is, and need no lock on the player while they wait for matches.
    """
    with transaction.atomic():
        bots = list(player.bots.values_list("pk", flat=True))
        owner = require_active(lock_players([player.pk, *bots]), player)
        # The lock on their owner prevents new bots.
        accounts = [owner, *owner.bots.select_for_update(no_key=True).filter(deleted_at=None).order_by("pk")]
        ids = [account.pk for account in accounts]
        ApiToken.objects.filter(user__in=ids).delete()
        Player.objects.filter(pk__in=ids).update(is_active=False, closing=closing)
    return accounts
