"""Tickets: what a browser opens a stream with, since there it cannot show a token.

A ticket stands in an address, which others may come to see. So it is good for a minute, and once.
"""

import secrets
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone
from knox.crypto import hash_token

from games.errors import Problem
from games.models import Ticket
from games.models.token import TokenRow
from games.services.accounts.tokens import is_valid

LIFETIME: Final = timedelta(seconds=60)
MOST_TICKETS: Final = 100
FORGOTTEN_AT_ONCE: Final = 5_000
_PREFIX: Final = "ticket_"


@dataclass(frozen=True, slots=True)
class NewTicket:
    """A ticket's secret, which is shown once, and when it ends."""

    secret: str = field(repr=False)
    expires_at: datetime


def issue_ticket(*, token: TokenRow) -> NewTicket:
    """Make a ticket that stands for this token."""
    now = timezone.now()
    waiting = Ticket.objects.filter(token__user=token.player, expires_at__gt=now)
    if waiting.count() >= MOST_TICKETS:
        raise Problem("limit_reached", f"There are {MOST_TICKETS} tickets that were not used yet.")
    secret = _PREFIX + secrets.token_urlsafe(32)
    Ticket.objects.create(digest=hash_token(secret), token_id=token.digest, expires_at=now + LIFETIME)
    return NewTicket(secret, now + LIFETIME)


def use_ticket(*, secret: str) -> TokenRow | None:
    """The token that a ticket stands for, with its player; None if it is none, or not any more.

    Whoever takes the row away has used it, so that of two at once one is let in.
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


def forget_old_tickets(*, now: datetime, at_once: int = FORGOTTEN_AT_ONCE) -> int:
    """Delete the tickets that nobody has used in time, a bounded number at a time; how many there were."""
    old = Ticket.objects.filter(expires_at__lte=now).values_list("pk", flat=True)
    deleted, _ = Ticket.objects.filter(pk__in=list(old[:at_once])).delete()
    return deleted
