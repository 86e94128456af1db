"""Tokens: made, used, and taken away. The secret itself leaves this module once and is never kept."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from knox.crypto import hash_token
from knox.models import get_digest_token

from games.errors import Problem, invalid
from games.models import ApiToken, Player, PlayerKind, Scope
from games.models.token import BOT_SCOPES, HUMAN_SCOPES, written
from games.selectors.kept_queries import KeptQuery
from games.selectors.matches import KEPT_MATCH, MatchRow, as_row
from games.services.accounts.holding import hold

LIFETIME: Final = timedelta(days=90)
LIFETIME_OF_A_GUEST: Final = timedelta(days=365)
LONGEST_LIFETIME: Final = timedelta(days=5 * 366)
# The end of a token moves on at most so often: reading a table does not write.
BETWEEN_RENEWALS: Final = timedelta(days=1)
MOST_TOKENS: Final = 100
# So much of a token stays readable, by which its owner knows it again.
SHOWN: Final = len("haggis_") + 8


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token and its secret, which is shown once."""

    token: ApiToken
    secret: str = field(repr=False)


_TOKEN: Final = KeptQuery[ApiToken](
    lambda digest: ApiToken.objects.select_related("user").filter(digest=digest)
)


def find_token(*, secret: str) -> ApiToken | None:
    """The token with this secret and its player, in one query; None if it is none, or not any more."""
    return _good(_TOKEN.first(hash_token(secret)))


def find_token_and_match(*, secret: str, match_id: str) -> tuple[ApiToken | None, MatchRow | None]:
    """The same, and in the same query a match, whoever may see it."""
    token, match = _TOKEN.first_with(hash_token(secret), KEPT_MATCH, match_id)
    return _good(token), None if match is None else as_row(match)


def _good(token: ApiToken | None) -> ApiToken | None:
    """A token that lets its player in, its end moved on as it is used."""
    now = timezone.now()
    if token is None or not is_good(token, now):
        return None
    _renew(token, now)
    return token


def is_good(token: ApiToken, now: datetime) -> bool:
    """Whether a token that was read with its player lets them in."""
    return bool(token.user.is_active and (token.expiry is None or token.expiry > now))


def _renew(token: ApiToken, now: datetime) -> None:
    if token.sliding is None or token.expiry is None:
        return
    end = now + token.sliding
    if end - token.expiry >= BETWEEN_RENEWALS:
        ApiToken.objects.filter(digest=token.digest, expiry__lt=end).update(expiry=end)
        token.expiry = end


def log_in_token(*, player: Player, name: str = "") -> NewToken:
    """The token of somebody who has just shown who they are: all that their kind of account may do."""
    lifetime = LIFETIME_OF_A_GUEST if player.kind == PlayerKind.GUEST else LIFETIME
    scopes = BOT_SCOPES if player.kind == PlayerKind.BOT else HUMAN_SCOPES
    _forget_expired(player)
    _drop_the_oldest(player)
    return _make(player, name, scopes, lifetime=lifetime)


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
        raise invalid("/scopes", "beyond_this_token", "Your own token does not reach that far.")
    now = timezone.now()
    if expires_at is not None and expires_at <= now:
        raise invalid("/expires_at", "in_the_past", "The time is over already.")
    if expires_at is not None and expires_at > now + LONGEST_LIFETIME:
        raise invalid("/expires_at", "too_large", "A token lasts five years at most.")
    with transaction.atomic():
        hold(player)
        _forget_expired(player)
        if ApiToken.objects.filter(user=player).count() >= MOST_TOKENS:
            raise Problem("limit_reached", f"An account has {MOST_TOKENS} tokens at most.")
        lifetime = LIFETIME if expires_at is None else None
        return _make(player, name, scopes, lifetime=lifetime, expires_at=expires_at)


def _make(
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
        token_key=secret[:SHOWN],
        expiry=ends_at,
        name=name,
        scopes=written(scopes),
        sliding=lifetime,
    )
    token.save(force_insert=True)
    return NewToken(token, secret)


def _forget_expired(player: Player) -> None:
    ApiToken.objects.filter(user=player, expiry__lte=timezone.now()).delete()


def _drop_the_oldest(player: Player) -> None:
    """Make room for one more: logging in always works, on however many devices it was done before."""
    kept = ApiToken.objects.filter(user=player).order_by("-created")
    too_many = kept.values_list("digest", flat=True)[MOST_TOKENS - 1 :]
    ApiToken.objects.filter(digest__in=list(too_many)).delete()


def revoke_token(*, token: ApiToken) -> None:
    """Log out."""
    ApiToken.objects.filter(digest=token.digest).delete()


def delete_token(*, player: Player, public_id: str) -> None:
    """Take away one of a player's tokens."""
    deleted, _ = ApiToken.objects.filter(user=player, public_id=public_id).delete()
    if not deleted:
        raise Problem("not_found")


def revoke_all(*, player: Player, but: ApiToken | None = None) -> None:
    """Log a player out everywhere, `but` here."""
    kept = Q() if but is None else ~Q(digest=but.digest)
    ApiToken.objects.filter(kept, user=player).delete()
