"""What is done outside requests. A task is one call of a service, and may be lost, late or repeated."""

from games.tasks.analysing import analyse
from games.tasks.mails import send_mail
from games.tasks.outbox import send_mails, send_pushes, send_webhooks
from games.tasks.reminding import remind
from games.tasks.sweeping import sweep
from games.tasks.tidying import (
    call_off_matches,
    forget_attempts,
    forget_deliveries,
    forget_keys,
    forget_tickets,
)
from games.tasks.turns import take_turns

__all__ = [
    "analyse",
    "call_off_matches",
    "forget_attempts",
    "forget_deliveries",
    "forget_keys",
    "forget_tickets",
    "remind",
    "send_mail",
    "send_mails",
    "send_pushes",
    "send_webhooks",
    "sweep",
    "take_turns",
]
