"""Issue, exchange, rotate and end what apps get: codes, access tokens and refresh tokens.

Each change is one transaction that locks the player first, so that an authorization that is ended, or an
account that is closed, wins every race. A code or refresh token is consumed by a conditional update: of two
concurrent requests one gets tokens, and the other is treated as reuse.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from games.accounts.models import SecurityEventKind
from games.accounts.services.security import record_security_event
from games.core.errors import Problem
from games.identity.app_models import Authorization, OAuthApp
from games.identity.models import ApiToken, Player, Scope, format_scopes
from games.identity.services import create_app_token, lock_player
from games.oauth.models import OAuthCode, OAuthRefreshToken
from games.oauth.secret_texts import digest_of, family_key

ACCESS_LIFETIME: Final = timedelta(hours=1)
REFRESH_LIFETIME: Final = timedelta(days=30)
CODE_LIFETIME: Final = timedelta(seconds=60)
# A code that is presented again within this time ends what was issued for it.
REUSE_PERIOD: Final = timedelta(days=1)
# Sign-ins of one player at one app, on several devices; the oldest ends.
MAX_FAMILIES: Final = 20
# An authorization that was not used for so long is deleted: the app has to ask again.
UNUSED_PERIOD: Final = timedelta(days=365)

log = logging.getLogger(__name__)


class GrantRefusedError(Exception):
    """A code or refresh token that is unknown, expired, used, or of a player who may not sign in."""


def grant_code(
    *,
    player: Player,
    app: OAuthApp,
    scopes: Iterable[Scope],
    redirect_uri: str,
    code_challenge: str,
    code: str,
) -> None:
    """Store the consent of a player and a code for the app. Tell the player of a new or wider consent."""
    requested = set(scopes)
    with transaction.atomic():
        player = lock_player(player)
        authorization, is_new = Authorization.objects.get_or_create(
            player=player, app=app, defaults={"scopes": format_scopes(requested)}
        )
        if not requested.issubset(authorization.scopes.split()):
            is_new = True
            authorization.scopes = format_scopes(
                requested | {Scope(each) for each in authorization.scopes.split()}
            )
            authorization.save(update_fields=["scopes"])
        OAuthCode.objects.create(
            digest=digest_of(code),
            authorization=authorization,
            scopes=format_scopes(requested),
            redirect_uri=redirect_uri,
            code_challenge=code_challenge,
            expires_at=timezone.now() + CODE_LIFETIME,
        )
        if is_new:
            record_security_event(player=player, kind=SecurityEventKind.APP_AUTHORIZED, device=app.name)


def exchange_code(*, code: OAuthCode, access_token: str, refresh_token: str) -> None:
    """Use a code and store the tokens that the app gets for it; end them if the code was used before."""
    now, authorization = timezone.now(), code.authorization
    family = _digest_of_family(refresh_token)
    with _refused_if_impossible(), transaction.atomic():
        lock_player(authorization.player)
        unused = OAuthCode.objects.filter(pk=code.pk, used_at=None, expires_at__gt=now)
        is_used = bool(unused.update(used_at=now, family=family))
        if is_used:
            OAuthRefreshToken.objects.create(
                family=family,
                authorization=authorization,
                digest=digest_of(refresh_token),
                access_digest=digest_of(access_token),
                scopes=code.scopes,
                expires_at=now + REFRESH_LIFETIME,
            )
            _issue_access_token(authorization, access_token, code.scopes, now)
            _end_oldest_families(authorization)
    if not is_used:
        end_reused_code(code=code)
        raise GrantRefusedError


def end_reused_code(*, code: OAuthCode) -> None:
    """End what was issued for a code that is presented again."""
    current = OAuthCode.objects.filter(pk=code.pk).exclude(family="").first()
    if current is not None:
        log.warning("A used authorization code was presented: %s", code.authorization.public_id)
        end_family(family=current.family)


def rotate_refresh_token(
    *,
    family: OAuthRefreshToken,
    presented: str,
    access_token: str,
    refresh_token: str,
    scopes: Iterable[str],
) -> None:
    """Replace a refresh token and its access token; end the family if it was replaced before."""
    now, authorization = timezone.now(), family.authorization
    with _refused_if_impossible(), transaction.atomic():
        lock_player(authorization.player)
        unused = OAuthRefreshToken.objects.filter(
            pk=family.pk, digest=digest_of(presented), expires_at__gt=now
        )
        previous = unused.values_list("access_digest", flat=True).first()
        is_rotated = previous is not None and bool(
            unused.update(
                digest=digest_of(refresh_token),
                access_digest=digest_of(access_token),
                expires_at=now + REFRESH_LIFETIME,
            )
        )
        if is_rotated:
            ApiToken.objects.filter(digest=previous).delete()
            _issue_access_token(
                authorization, access_token, format_scopes(Scope(each) for each in scopes), now
            )
    if not is_rotated:
        end_reused_family(family=family)
        raise GrantRefusedError


def end_reused_family(*, family: OAuthRefreshToken) -> None:
    """End a family of which a used refresh token was presented: one of the two who have it stole it."""
    log.warning("A used refresh token was presented: %s", family.authorization.public_id)
    end_family(family=family.family)


def end_family(*, family: str) -> None:
    """Delete a refresh token and its access token; do nothing if it has ended."""
    with transaction.atomic():
        found = OAuthRefreshToken.objects.select_for_update().filter(pk=family).first()
        if found is not None:
            ApiToken.objects.filter(digest=found.access_digest).delete()
            found.delete()


def revoke(*, app: OAuthApp, token: str) -> None:
    """End the sign-in that a token of this app belongs to, an access token or any refresh token of it."""
    families = OAuthRefreshToken.objects.filter(authorization__app=app)
    key = family_key(token)
    found = (
        families.filter(access_digest=digest_of(token)) if key is None else families.filter(pk=digest_of(key))
    ).first()
    if found is not None:
        end_family(family=found.family)


def end_authorization(*, player: Player, public_id: str) -> None:
    """Delete an authorization with its tokens, codes and webhooks; raise 404 if there is none."""
    with transaction.atomic():
        lock_player(player)
        deleted, _ = Authorization.objects.filter(player=player, public_id=public_id).delete()
    if not deleted:
        raise Problem("not_found")


def delete_expired(*, now: datetime) -> int:
    """Delete codes and tokens that have expired, and authorizations that nobody has used for long."""
    codes, _ = OAuthCode.objects.filter(expires_at__lt=now - REUSE_PERIOD).delete()
    refresh_tokens, _ = OAuthRefreshToken.objects.filter(expires_at__lt=now).delete()
    access_tokens, _ = ApiToken.objects.filter(authorization__isnull=False, expiry__lt=now).delete()
    unused = Authorization.objects.filter(last_used_at__lt=now - UNUSED_PERIOD, refresh_tokens=None)
    authorizations, _ = Authorization.objects.filter(
        pk__in=list(unused.values_list("pk", flat=True))
    ).delete()
    return codes + refresh_tokens + access_tokens + authorizations


def _issue_access_token(authorization: Authorization, text: str, scopes: str, now: datetime) -> None:
    create_app_token(
        authorization=authorization, secret=text, scopes=scopes, expires_at=now + ACCESS_LIFETIME
    )
    Authorization.objects.filter(pk=authorization.pk).update(last_used_at=now)


def _end_oldest_families(authorization: Authorization) -> None:
    newest_first = OAuthRefreshToken.objects.filter(authorization=authorization).order_by("-created_at")
    for family in newest_first.values_list("family", flat=True)[MAX_FAMILIES:]:
        end_family(family=family)


def _digest_of_family(refresh_token: str) -> str:
    return digest_of(family_key(refresh_token) or "")


class _refused_if_impossible:  # noqa: N801 -- used like a function
    """Refuse a grant whose player is closed or suspended, or whose authorization was ended meanwhile."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, _type: object, error: BaseException | None, _traceback: object) -> None:
        if isinstance(error, Problem | IntegrityError):
            raise GrantRefusedError from error
