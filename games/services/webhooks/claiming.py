"""Taking what is due from the outbox, an endpoint at a time: events keep their order, none waits for another.

Who sends to an endpoint holds it for a while; if the sender dies, its events are found again when that is
over, and may be sent twice.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import Exists, F, JSONField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now
from django.utils import timezone

from games.models import Delivery, Move, Secret, Webhook
from games.services.webhooks.messages import body_of

LEASE: Final = timedelta(seconds=60)
AT_ONCE: Final = 10


@dataclass(frozen=True, slots=True)
class Message:
    """One thing to be sent."""

    delivery_id: int
    public_id: str
    type: str
    tried: int
    body: str


@dataclass(frozen=True, slots=True)
class Batch:
    """What is due at one endpoint, in its order."""

    webhook_id: int
    url: str
    secrets: tuple[Secret[str], ...]
    messages: tuple[Message, ...]


def claim_batches(*, at_most: int) -> list[Batch]:
    """Batches for so many endpoints, those first that were served longest ago; nobody else is given them.

    When there is nothing to do it is one small read.
    """
    if at_most <= 0 or not Delivery.objects.filter(due_at__lte=Now()).exists():
        return []
    with transaction.atomic():
        webhooks = list(
            _waiting()
            .select_for_update(skip_locked=True, no_key=True)
            .order_by(F("served_at").asc(nulls_first=True), "pk")[:at_most]
        )
        ids = [webhook.pk for webhook in webhooks]
        Webhook.objects.filter(pk__in=ids).update(rests_until=Now() + LEASE, served_at=Now())
    return [_batch(webhook) for webhook in webhooks]


def let_go_of_all() -> None:
    """Begin anew where nobody else sends: what is held is held by nobody any more."""
    Webhook.objects.exclude(rests_until=None).update(rests_until=None)


def _waiting() -> QuerySet[Webhook]:
    due = Delivery.objects.filter(webhook=OuterRef("pk"), due_at__lte=Now())
    rested = Q(rests_until=None) | Q(rests_until__lte=Now())
    return Webhook.objects.filter(rested, Exists(due), active=True)


def _batch(webhook: Webhook) -> Batch:
    entry = Move.objects.filter(match=OuterRef("match"), version=OuterRef("version")).values("entry")
    due = Delivery.objects.filter(webhook=webhook, due_at__lte=Now()).order_by("pk")
    read = due.annotate(entry=Subquery(entry[:1], output_field=JSONField()))[:AT_ONCE]
    messages = tuple(
        Message(each.pk, each.public_id, each.type, each.tried, body_of(each, each.entry)) for each in read
    )
    old = webhook.old_secrets_at(timezone.now())
    secrets = (webhook.secret, *(each.secret for each in old))
    return Batch(webhook.pk, webhook.url, secrets, messages)
