"""Issue, renew and revoke tokens, and lock a player."""

from collections.abc import Iterable
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
    ApiToken,
    Player,
    PlayerKind,
    Scope,
    TokenRow,
    format_scopes,
)

LIFETIME: Final = timedelta(days=90)
LIFETIME_OF_A_GUEST: Final = timedelta(days=365)
MAX_LIFETIME_LENGTH: Final = timedelta(days=5 * 366)
# The end of a token moves on at most so often: reading a table does not write.
BETWEEN_RENEWALS: Final = timedelta(days=1)
MAX_TOKENS: Final = 100
# So much of a token stays readable, by which its owner knows it again.
PREFIX_LENGTH: Final = len("haggis_") + 8


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token and its secret, which is shown once."""

    token: ApiToken
    secret: str = field(repr=False)


def _valid(token: TokenRow | None) -> TokenRow | None:
    return token if token is not None and is_valid(token, timezone.now()) else None


def is_valid(token: TokenRow, now: datetime) -> bool:
    """Whether a token lets its player in."""
    return token.player.is_active and (token.expiry is None or token.expiry > now)


def renew_token(*, token: TokenRow) -> None:
    """Move the end of a token on as it is used, once a day."""
    if token.sliding is None or token.expiry is None:
        return
    end = timezone.now() + token.sliding
    if end - token.expiry >= BETWEEN_RENEWALS:
        ApiToken.objects.filter(digest=token.digest, expiry__lt=end).update(expiry=end)


def log_in_token(*, player: Player, name: str = "") -> NewToken:
    """The token of somebody who has just shown who they are: all that their kind of account may do."""
    lifetime = LIFETIME_OF_A_GUEST if player.kind == PlayerKind.GUEST else LIFETIME
    scopes = BOT_SCOPES if player.kind == PlayerKind.BOT else HUMAN_SCOPES
    _delete_expired_tokens(player)
    _delete_oldest_tokens(player)
    return _create(player, name, scopes, lifetime=lifetime)


def create_token(
    *,
    player: Player,
    name: str,
    scopes: Iterable[Scope],
    granted: frozenset[Scope],
    expires_at: datetime | None = None,
) -> NewToken:
    """A personal token that reaches no further than the one it was made with (`granted`).

    With `expires_at` it ends then; without, 90 days after it was last used.
    """
    if not granted.issuperset(scopes):
        raise invalid_field("/scopes", "beyond_this_token", "Your own token does not reach that far.")
    now = timezone.now()
    if expires_at is not None and expires_at <= now:
        raise invalid_field("/expires_at", "in_the_past", "The time is over already.")
    if expires_at is not None and expires_at > now + MAX_LIFETIME_LENGTH:
        raise invalid_field("/expires_at", "too_large", "A token lasts five years at most.")
    with transaction.atomic():
        lock_player(player)
        _delete_expired_tokens(player)
        if ApiToken.objects.filter(user=player).count() >= MAX_TOKENS:
            raise Problem("limit_reached", f"An account has {MAX_TOKENS} tokens at most.")
        lifetime = LIFETIME if expires_at is None else None
        return _create(player, name, scopes, lifetime=lifetime, expires_at=expires_at)


def _create(
    player: Player,
    name: str,
    scopes: Iterable[Scope],
    *,
    lifetime: timedelta | None = None,
    expires_at: datetime | None = None,
) -> NewToken:
    ends_at = timezone.now() + lifetime if lifetime is not None else expires_at
    digest, secret = get_digest_token()
    token = ApiToken(
        user=player,
        digest=digest,
        token_key=secret[:PREFIX_LENGTH],
        expiry=ends_at,
        name=name,
        scopes=format_scopes(scopes),
        sliding=lifetime,
    )
    token.save(force_insert=True)
    return NewToken(token, secret)


def _delete_expired_tokens(player: Player) -> None:
    ApiToken.objects.filter(user=player, expiry__lte=timezone.now()).delete()


def _delete_oldest_tokens(player: Player) -> None:
    """Make room for one more: logging in always works, on however many devices it was done before."""
    kept = ApiToken.objects.filter(user=player).order_by("-created")
    too_many = kept.values_list("digest", flat=True)[MAX_TOKENS - 1 :]
    ApiToken.objects.filter(digest__in=list(too_many)).delete()


def revoke_token(*, token: TokenRow) -> None:
    """Log out."""
    ApiToken.objects.filter(digest=token.digest).delete()


def delete_token(*, player: Player, public_id: str) -> None:
    """Take away one of a player's tokens."""
    deleted, _ = ApiToken.objects.filter(user=player, public_id=public_id).delete()
    if not deleted:
        raise Problem("not_found")


def revoke_all(*, player: Player, but: TokenRow | None = None) -> None:
    """Log a player out everywhere, `but` here."""
    kept = Q() if but is None else ~Q(digest=but.digest)
    ApiToken.objects.filter(kept, user=player).delete()


def lock_player(player: Player) -> None:
    """Let no other transaction that asks for the same go on before this one ends."""
    Player.objects.select_for_update(no_key=True).only("pk").get(pk=player.pk)
