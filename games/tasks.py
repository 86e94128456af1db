"""All Celery tasks, registered for autodiscovery."""

from games.accounts.tasks import send_last_mail, send_mail
from games.ai.tasks import analyse, take_turns
from games.notifications.tasks import send_mails, send_pushes, send_webhooks
from games.privacy.tasks import maintain_exports, write_exports
from games.ratings.tasks import measure_rating_pools, rate_matches
from games.records.tasks import delete_verifications, publish_records, verify_records
from games.statistics.tasks import count_matches
from games.sweep.tasks import (
    cancel_expired_matches,
    delete_deliveries,
    delete_idempotency_keys,
    delete_login_attempts,
    delete_tickets,
    sweep,
)

__all__ = [
    "analyse",
    "cancel_expired_matches",
    "count_matches",
    "delete_deliveries",
    "delete_idempotency_keys",
    "delete_login_attempts",
    "delete_tickets",
    "delete_verifications",
    "maintain_exports",
    "measure_rating_pools",
    "publish_records",
    "rate_matches",
    "send_last_mail",
    "send_mail",
    "send_mails",
    "send_pushes",
    "send_webhooks",
    "sweep",
    "take_turns",
    "verify_records",
    "write_exports",
]
