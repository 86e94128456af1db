"""Passwords, recovery and stream tickets."""

import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.functional import lazy
from knox.crypto import hash_token

from games.accounts.models import SecurityEventKind, Ticket
from games.accounts.services.attempts import clear_attempts, record_attempt, remember_device
from games.accounts.services.mails import (
    Mail,
    claim_reset_mail,
    claim_reset_request,
    invalid_mail_token,
    player_of_email_token,
    player_of_password_token,
    send_on_commit,
)
from games.accounts.services.second_factor import require_code
from games.accounts.services.security import record_security_event
from games.core.addresses import Source
from games.core.errors import FIELD_CODES, FieldError, Problem, invalid_field
from games.core.languages import message
from games.identity.models import ApiToken, Player, PlayerKind, TokenRow
from games.identity.queries import players_with_address
from games.identity.services import (
    lock_player,
    lock_players,
    require_fresh,
    require_not_suspended,
    revoke_all,
)

MAX_PASSWORD_LENGTH: Final = 256


def hashed_password(password: str, player: Player, pointer: str = "/password") -> str:
    """Validate a password and return its hash; a weak password raises a `Problem` with all its faults."""
    try:
        validate_password(password, player)
    except ValidationError as error:
        faults = tuple(_field_error(each, pointer) for each in error.error_list)
        raise Problem(
            "validation_error", message("The password is too easy to guess."), errors=faults
        ) from error
    return make_password(password)


def _join_messages(error: ValidationError) -> str:
    return " ".join(error.messages)


# Django's messages are lazy; joined, they are still to be translated.
_JOINED_MESSAGES: Final = lazy(_join_messages, str)


def _field_error(error: ValidationError, pointer: str) -> FieldError:
    code = error.code if error.code in FIELD_CODES else "invalid"
    return FieldError(pointer, code or "invalid", _JOINED_MESSAGES(error))


def change_password(
    *, player: Player, current_password: str, password: str, token: TokenRow, address: str
) -> None:
    """Change the password, given the current one, and revoke all other tokens of the player."""
    require_fresh(token=token)
    attempt = record_attempt(username=player.username, address=address)
    if not player.check_password(current_password):
        if attempt.retry_after is not None:
            raise attempt.failure("rate_limited")
        raise invalid_field(
            "/current_password", "wrong_password", message("The current password is not correct.")
        )
    clear_attempts(attempt)
    changed_meanwhile = Problem("not_authenticated", message("The account was changed by another request."))
    hashed = hashed_password(password, player)
    with transaction.atomic():
        current = _set_password(player, hashed, changed_meanwhile=changed_meanwhile)
        revoke_all(player=current, except_token=token)


def _set_password(player: Player, hashed: str, *, changed_meanwhile: Problem) -> Player:
    """Set a password that was validated for this row of the player; return the row as it is now.

    Raise `changed_meanwhile` if a concurrent request has closed the account or changed its password.
    """
    current = lock_players([player.pk]).get(player.pk)
    if current is None or current.password != player.password:
        raise changed_meanwhile
    current.password = hashed
    current.save(update_fields=["password"])
    record_security_event(player=current, kind=SecurityEventKind.PASSWORD_CHANGED)
    return current


def ask_for_password_reset(*, address: str, username: str | None = None, email: str | None = None) -> None:
    """Send a reset mail to each matching account that has a confirmed address."""
    claim_reset_request(source=address)
    for player in players_with_address(username=username, email=email):
        if player.kind == PlayerKind.HUMAN and claim_reset_mail(player=player):
            send_on_commit(kind=Mail.RESET_PASSWORD, about=player.pk)


def reset_password(*, token: str, password: str, source: Source, code: str | None = None) -> None:
    """Set a new password, authorised by the token of a reset mail, and revoke all tokens of the player.

    An account with a second factor needs a code too: a mailbox alone is not enough. The password then works
    from this address, even while others try passwords.
    """
    player = player_of_password_token(token)
    hashed = hashed_password(password, player)
    require_code(player=player, code=code, address=source.address)
    with transaction.atomic():
        current = _set_password(player, hashed, changed_meanwhile=invalid_mail_token())
        revoke_all(player=current)
        remember_device(player=current, source=source)


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
                "limit_reached",
                message(
                    "You have {most} unused tickets. Use one, or wait until they expire.", most=MAX_TICKETS
                ),
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
    if not token.is_valid(now):
        return None
    require_not_suspended(token.player)
    return token


def delete_expired_tickets(*, now: datetime, at_once: int = BATCH_SIZE) -> int:
    """Delete up to `at_once` expired tickets and return their number."""
    old = Ticket.objects.filter(expires_at__lte=now).values_list("pk", flat=True)
    deleted, _ = Ticket.objects.filter(pk__in=list(old[:at_once])).delete()
    return deleted
