"""All Celery tasks, registered for autodiscovery."""

from games.accounts.tasks import send_mail
from games.ai.tasks import analyse, take_turns
from games.notifications.tasks import send_mails, send_pushes, send_webhooks
from games.sweep.tasks import (
    call_off_matches,
    forget_attempts,
    forget_deliveries,
    forget_keys,
    forget_tickets,
    sweep,
)

__all__ = [
    "analyse",
    "call_off_matches",
    "forget_attempts",
    "forget_deliveries",
    "forget_keys",
    "forget_tickets",
    "send_mail",
    "send_mails",
    "send_pushes",
    "send_webhooks",
    "sweep",
    "take_turns",
]
