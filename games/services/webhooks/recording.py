"""How deliveries went: settled, tried again later, or given up; and endpoints that rest or are stopped."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from games.models import Delivery, DeliveryStatus, Notice, NoticeKind, NoticeWay, StoppedBecause, Webhook
from games.services.webhooks.claiming import Batch, Message
from games.services.webhooks.messages import TEST
from games.services.webhooks.posting import Answered
from games.times import rfc3339

# How long to wait after each try that failed; after the last wait, in about three days, it is given up.
WAITS: Final = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 60, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600)
)
# How long an endpoint rests after failing, however much waits for it: doubled each time, up to this.
FIRST_REST: Final = timedelta(seconds=1)
LONGEST_REST: Final = timedelta(minutes=10)
# An endpoint that took nothing for so long, in so many tries, is sent nothing more.
LASTING: Final = timedelta(days=3)
LASTING_TRIES: Final = 10
SPREAD: Final = 0.2
KEPT_ATTEMPTS: Final = 20

GONE: Final = 410
_RANDOM: Final = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class Sent:
    """One message of a batch, and how it went."""

    message: Message
    answered: Answered
    at: datetime


def record(*, batch: Batch, sent: Sequence[Sent]) -> None:
    """Write down how a batch went, and let go of its endpoint."""
    now = timezone.now()
    with transaction.atomic():
        webhook = Webhook.objects.select_for_update(no_key=True).filter(pk=batch.webhook_id).first()
        if webhook is None:
            return
        for each in sent:
            _settle(each, now)
        _judge(webhook, sent, now)


def _settle(sent: Sent, now: datetime) -> None:
    message = sent.message
    row = Delivery.objects.filter(pk=message.delivery_id, status=DeliveryStatus.PENDING).first()
    if row is None:
        return
    row.tried = message.tried + 1
    row.attempts = [*row.attempts, _attempt(sent)][-KEPT_ATTEMPTS:]
    if sent.answered.is_taken:
        row.status, row.due_at = DeliveryStatus.DELIVERED, None
    elif message.type == TEST or row.tried > len(WAITS) or sent.answered.status == GONE:
        row.status, row.due_at = DeliveryStatus.FAILED, None
    else:
        row.due_at = now + _about(WAITS[row.tried - 1])
    row.save(update_fields=["tried", "attempts", "status", "due_at"])


def _attempt(sent: Sent) -> dict[str, Any]:
    answered = sent.answered
    return {
        "at": rfc3339(sent.at),
        "status": answered.status,
        "error": answered.error,
        "milliseconds": answered.milliseconds,
    }


def _about(wait: timedelta) -> timedelta:
    """Not exactly so long, so that many who failed at once do not come back at once."""
    return wait * _RANDOM.uniform(1 - SPREAD, 1 + SPREAD)


def _judge(webhook: Webhook, sent: Sequence[Sent], now: datetime) -> None:
    """Let the endpoint rest if its last try failed, and stop it if that has gone on for long."""
    if not sent:
        webhook.rests_until = None
    elif sent[-1].answered.is_taken:
        webhook.failures, webhook.failing_since, webhook.rests_until = 0, None, None
    else:
        if any(each.answered.is_taken for each in sent):
            webhook.failures, webhook.failing_since = 0, None
        webhook.failures += 1
        webhook.failing_since = webhook.failing_since or now
        rest = min(FIRST_REST * 2 ** min(webhook.failures - 1, 20), LONGEST_REST)
        webhook.rests_until = now + _about(rest)
        _stop_if_lasting(webhook, sent[-1].answered, now)
    webhook.save(
        update_fields=["failures", "failing_since", "rests_until", "active", "stopped_because", "stopped_at"]
    )


def _stop_if_lasting(webhook: Webhook, answered: Answered, now: datetime) -> None:
    since = webhook.failing_since or now
    if answered.status == GONE:
        reason = StoppedBecause.GONE
    elif now - since >= LASTING and webhook.failures >= LASTING_TRIES:
        reason = StoppedBecause.FAILING
    else:
        return
    webhook.active, webhook.stopped_because, webhook.stopped_at = False, reason, now
    Notice.objects.update_or_create(
        player_id=webhook.player_id,
        kind=NoticeKind.WEBHOOK_STOPPED,
        way=NoticeWay.EMAIL,
        about=webhook.public_id,
        defaults={"version": 0, "due_at": now, "tried": 0},
    )
