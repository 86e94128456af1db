"""Passwords, login attempts, recovery and stream tickets."""

import math
import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count, Min, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac
from knox.crypto import hash_token

from games.accounts.models import LogInAttempt, Ticket
from games.accounts.services.mails import (
    Mail,
    invalid_mail_token,
    player_of_email_token,
    player_of_password_token,
    send_on_commit,
)
from games.core.errors import FIELD_CODES, FieldError, Problem, invalid_field
from games.identity.models import ApiToken, Player, PlayerKind, TokenRow
from games.identity.queries import players_with_address
from games.identity.services import is_valid, lock_player, lock_players, revoke_all


def record_attempt(*, username: str, address: str) -> None:
    """Record a login attempt and refuse it if there were too many.

    The attempt is recorded before the password is checked, so that concurrent attempts cannot bypass the
    limit. A refused attempt is not counted, so that it does not extend the lockout.
    """
    now = timezone.now()
    account = _account_digest(username)
    attempt = LogInAttempt.objects.create(account=account, address=address, at=now)
    until = _locked_until(account, address, now)
    if until is not None:
        attempt.delete()
        raise Problem("rate_limited", retry_after=max(1, math.ceil((until - now).total_seconds())))


def clear_attempts(*, username: str, address: str) -> None:
    """Delete the recorded attempts after a successful login."""
    LogInAttempt.objects.filter(account=_account_digest(username), address=address).delete()


def delete_old_attempts(*, now: datetime) -> int:
    """Delete attempts outside the time window and return their number."""
    deleted, _ = LogInAttempt.objects.filter(at__lt=now - _window()).delete()
    return deleted


def _locked_until(account: str, address: str, now: datetime) -> datetime | None:
    """Return when the next attempt is allowed, or `None` if no limit is exceeded."""
    limits: dict[str, int] = settings.HAGGIS_LOG_IN_ATTEMPTS
    conditions = {
        "pair": Q(account=account, address=address),
        "account": Q(account=account),
        "address": Q(address=address),
    }
    counts = LogInAttempt.objects.filter(
        conditions["account"] | conditions["address"], at__gt=now - _window()
    ).aggregate(
        **{f"{name}_count": Count("pk", filter=condition) for name, condition in conditions.items()},
        **{f"{name}_first": Min("at", filter=condition) for name, condition in conditions.items()},
    )
    locked_until = [
        counts[f"{name}_first"] + _window() for name in conditions if counts[f"{name}_count"] > limits[name]
    ]
    return max(locked_until, default=None)


def _window() -> timedelta:
    return timedelta(seconds=settings.HAGGIS_LOG_IN_WINDOW)


def _account_digest(username: str) -> str:
    """Return a keyed hash of the username, because people sometimes type their password into its field."""
    return salted_hmac("games.accounts.attempts", username.lower(), algorithm="sha256").hexdigest()


MAX_PASSWORD_LENGTH: Final = 256


def hashed_password(password: str, player: Player, pointer: str = "/password") -> str:
    """Validate a password and return its hash; a weak password raises a `Problem` with all its faults."""
    try:
        validate_password(password, player)
    except ValidationError as error:
        faults = tuple(_field_error(each, pointer) for each in error.error_list)
        raise Problem("validation_error", "The password is too easy to guess.", errors=faults) from error
    return make_password(password)


def _field_error(error: ValidationError, pointer: str) -> FieldError:
    code = error.code if error.code in FIELD_CODES else "invalid"
    return FieldError(pointer, code or "invalid", " ".join(error.messages))


def change_password(
    *, player: Player, current_password: str, password: str, token: TokenRow, address: str
) -> None:
    """Change the password, given the current one, and revoke all other tokens of the player."""
    record_attempt(username=player.username, address=address)
    if not player.check_password(current_password):
        raise invalid_field("/current_password", "wrong_password", "The current password is not correct.")
    clear_attempts(username=player.username, address=address)
    changed_meanwhile = Problem("not_authenticated", "The account was changed by another request.")
    _set_password(
        player, hashed_password(password, player), except_token=token, changed_meanwhile=changed_meanwhile
    )


def _set_password(
    player: Player, hashed: str, *, changed_meanwhile: Problem, except_token: TokenRow | None = None
) -> None:
    """Set a password that was validated for this row of the player, and revoke the tokens.

    Raise `changed_meanwhile` if a concurrent request has closed the account or changed its password.
    """
    with transaction.atomic():
        current = lock_players([player.pk]).get(player.pk)
        if current is None or current.password != player.password:
            raise changed_meanwhile
        current.password = hashed
        current.save(update_fields=["password"])
        revoke_all(player=current, except_token=except_token)


def ask_for_password_reset(*, username: str | None = None, email: str | None = None) -> None:
    """Send a reset mail to each matching account that has a confirmed address."""
    for player in players_with_address(username=username, email=email):
        if player.kind == PlayerKind.HUMAN:
            send_on_commit(kind=Mail.RESET_PASSWORD, player_id=player.pk)


def reset_password(*, token: str, password: str) -> None:
    """Set a new password, authorised by the token of a reset mail, and revoke all tokens of the player."""
    player = player_of_password_token(token)
    _set_password(player, hashed_password(password, player), changed_meanwhile=invalid_mail_token())


def confirm_email(*, token: str) -> None:
    """Mark the address as confirmed, unless the player has changed it since the mail was sent."""
    player = player_of_email_token(token)
    Player.objects.filter(pk=player.pk, email=player.email).update(email_confirmed=True)


LIFETIME: Final = timedelta(seconds=60)
MAX_TICKETS: Final = 100
BATCH_SIZE: Final = 5_000
_PREFIX: Final = "ticket_"


@dataclass(frozen=True, slots=True)
class NewTicket:
    """The secret of a new ticket, which is shown only once, and its expiry."""

    secret: str = field(repr=False)
    expires_at: datetime


def issue_ticket(*, token: TokenRow) -> NewTicket:
    """Issue a ticket that stands for this token."""
    now = timezone.now()
    secret = _PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        player = lock_player(token.player)
        unused = Ticket.objects.filter(token__user=player, expires_at__gt=now)
        if unused.count() >= MAX_TICKETS:
            raise Problem(
                "limit_reached", f"You have {MAX_TICKETS} unused tickets. Use one, or wait until they expire."
            )
        if not ApiToken.objects.select_for_update(no_key=True).filter(digest=token.digest).exists():
            raise Problem("not_authenticated")  # revoked by a concurrent request
        Ticket.objects.create(digest=hash_token(secret), token_id=token.digest, expires_at=now + LIFETIME)
    return NewTicket(secret, now + LIFETIME)


def redeem_ticket(*, secret: str) -> TokenRow | None:
    """Return the token that a ticket stands for, with its player; `None` if the ticket is not valid.

    Deleting the row uses the ticket up, so only one of two concurrent requests succeeds.
    """
    ticket = Ticket.objects.select_related("token__user").filter(digest=hash_token(secret)).first()
    if ticket is None:
        return None
    deleted, _ = Ticket.objects.filter(digest=ticket.digest).delete()
    now = timezone.now()
    if not deleted or ticket.expires_at <= now:
        return None
    token: TokenRow = ticket.token.row()
    return token if is_valid(token, now) else None


def delete_expired_tickets(*, now: datetime, at_once: int = BATCH_SIZE) -> int:
    """Delete up to `at_once` expired tickets and return their number."""
    old = Ticket.objects.filter(expires_at__lte=now).values_list("pk", flat=True)
    deleted, _ = Ticket.objects.filter(pk__in=list(old[:at_once])).delete()
    return deleted
