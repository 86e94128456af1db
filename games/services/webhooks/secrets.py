"""The secret of an endpoint: made, and exchanged for a new one without a message that nobody can verify.

After an exchange every message is signed with both, so that receivers may learn the new secret at any time
before the old one is over.
"""

import base64
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from games.models import Player, Secret, Webhook
from games.models.webhook import OldSecret
from games.selectors.webhooks import my_webhook

USUAL_OVERLAP: Final = timedelta(days=1)
LONGEST_OVERLAP: Final = timedelta(days=7)
# More than one: whoever got no answer asks again, and receivers still have the secret from before both.
MOST_OLD: Final = 4
_SECRET_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """An endpoint and its secret, which is shown once."""

    webhook: Webhook
    secret: Secret[str]


def new_secret() -> Secret[str]:
    """A secret as Standard Webhooks writes them."""
    return Secret(f"whsec_{base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()}")


def exchange_secret(
    *, player: Player, webhook_id: str, overlap_seconds: int = int(USUAL_OVERLAP.total_seconds())
) -> NewWebhook:
    """Give an endpoint a new secret. Those that it had sign too for so long, and no longer."""
    now, secret = timezone.now(), new_secret()
    until = now + timedelta(seconds=overlap_seconds)
    with transaction.atomic():
        found = my_webhook(player, webhook_id)
        webhook = Webhook.objects.select_for_update(no_key=True).get(pk=found.pk)
        webhook.keep_old_secrets(_kept(webhook, now, until))
        webhook.secret = secret
        webhook.save(update_fields=["secret", "old_secrets"])
    return NewWebhook(webhook, secret)


def _kept(webhook: Webhook, now: datetime, until: datetime) -> list[OldSecret]:
    """The secrets that it had, as they sign on."""
    had = [OldSecret(webhook.secret, until), *webhook.old_secrets_at(now)]
    return [OldSecret(each.secret, min(each.until, until)) for each in had if until > now][:MOST_OLD]
