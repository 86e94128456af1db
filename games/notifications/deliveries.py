"""Claim, sign, send and record webhook deliveries."""

import json
import random
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, F, JSONField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now
from django.utils import timezone
from standardwebhooks import Webhook as Signer

from games.core.secrets import Secret
from games.core.times import format_time
from games.matches.models.log import DeliveryStatus, Move, NoticeChannel, NoticeKind
from games.notifications.http_client import HttpResult, post
from games.notifications.models import Delivery, Notice, StopReason, Webhook

LEASE: Final = timedelta(seconds=60)
AT_ONCE: Final = 10


@dataclass(frozen=True, slots=True)
class DeliveryMessage:
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
    messages: tuple[DeliveryMessage, ...]


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


def release_all() -> None:
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
        DeliveryMessage(each.pk, each.public_id, each.type, each.tried, build_body(each, each.entry))
        for each in read
    )
    old = webhook.old_secrets_at(timezone.now())
    secrets = (webhook.secret, *(each.secret for each in old))
    return Batch(webhook.pk, webhook.url, secrets, messages)


# How long to wait after each try that failed; after the last wait, in about three days, it is given up.
RETRY_DELAYS: Final = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 60, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600)
)
# How long an endpoint rests after failing, however much waits for it: doubled each time, up to this.
INITIAL_BACKOFF: Final = timedelta(seconds=1)
MAX_BACKOFF: Final = timedelta(minutes=10)
# An endpoint that took nothing for so long, in so many tries, is sent nothing more.
LASTING: Final = timedelta(days=3)
FAILING_ATTEMPTS: Final = 10
JITTER: Final = 0.2
KEPT_ATTEMPTS: Final = 20

GONE: Final = 410
_RANDOM: Final = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """One message of a batch, and how it went."""

    message: DeliveryMessage
    answered: HttpResult
    at: datetime


def record_results(*, batch: Batch, sent: Sequence[DeliveryResult]) -> None:
    """Write down how a batch went, and let go of its endpoint."""
    now = timezone.now()
    with transaction.atomic():
        webhook = Webhook.objects.select_for_update(no_key=True).filter(pk=batch.webhook_id).first()
        if webhook is None:
            return
        for each in sent:
            _settle(each, now)
        _update_endpoint(webhook, sent, now)


def _settle(sent: DeliveryResult, now: datetime) -> None:
    message = sent.message
    row = Delivery.objects.filter(pk=message.delivery_id, status=DeliveryStatus.PENDING).first()
    if row is None:
        return
    row.tried = message.tried + 1
    row.attempts = [*row.attempts, _attempt(sent)][-KEPT_ATTEMPTS:]
    if sent.answered.is_taken:
        row.status, row.due_at = DeliveryStatus.DELIVERED, None
    elif message.type == TEST or row.tried > len(RETRY_DELAYS) or sent.answered.status == GONE:
        row.status, row.due_at = DeliveryStatus.FAILED, None
    else:
        row.due_at = now + _with_jitter(RETRY_DELAYS[row.tried - 1])
    row.save(update_fields=["tried", "attempts", "status", "due_at"])


def _attempt(sent: DeliveryResult) -> dict[str, Any]:
    answered = sent.answered
    return {
        "at": format_time(sent.at),
        "status": answered.status,
        "error": answered.error,
        "milliseconds": answered.milliseconds,
    }


def _with_jitter(wait: timedelta) -> timedelta:
    """Not exactly so long, so that many who failed at once do not come back at once."""
    return wait * _RANDOM.uniform(1 - JITTER, 1 + JITTER)


def _update_endpoint(webhook: Webhook, sent: Sequence[DeliveryResult], now: datetime) -> None:
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
        rest = min(INITIAL_BACKOFF * 2 ** min(webhook.failures - 1, 20), MAX_BACKOFF)
        webhook.rests_until = now + _with_jitter(rest)
        _stop_if_lasting(webhook, sent[-1].answered, now)
    webhook.save(
        update_fields=["failures", "failing_since", "rests_until", "active", "stopped_because", "stopped_at"]
    )


def _stop_if_lasting(webhook: Webhook, answered: HttpResult, now: datetime) -> None:
    since = webhook.failing_since or now
    if answered.status == GONE:
        reason = StopReason.GONE
    elif now - since >= LASTING and webhook.failures >= FAILING_ATTEMPTS:
        reason = StopReason.FAILING
    else:
        return
    webhook.active, webhook.stopped_because, webhook.stopped_at = False, reason, now
    Notice.objects.update_or_create(
        player_id=webhook.player_id,
        kind=NoticeKind.WEBHOOK_STOPPED,
        way=NoticeChannel.EMAIL,
        about=webhook.public_id,
        defaults={"version": 0, "due_at": now, "tried": 0},
    )


ENDPOINTS_AT_ONCE: Final = 16
# A dispatcher takes on nothing new after this time, and an endpoint is sent nothing new after its share.
SECONDS_IN_A_ROW: Final = 20.0
SECONDS_FOR_A_BATCH: Final = 15.0
SECONDS_BETWEEN_LOOKS: Final = 0.5

_Sending = Future[list[DeliveryResult]]


def dispatch(*, seconds: float = SECONDS_IN_A_ROW) -> int:
    """Send what is due until nothing is, or the time is over; how many requests were made.

    Any number may do so at once. Whatever kills one of them, what it had in hand is sent again by another.
    """
    until = time.monotonic() + seconds
    made = 0
    sending: dict[_Sending, Batch] = {}
    with ThreadPoolExecutor(ENDPOINTS_AT_ONCE, thread_name_prefix="webhooks") as threads:
        while True:
            if time.monotonic() < until:
                for batch in claim_batches(at_most=ENDPOINTS_AT_ONCE - len(sending)):
                    sending[threads.submit(send_batch, batch)] = batch
            if not sending:
                return made
            done, _ = wait(sending, SECONDS_BETWEEN_LOOKS, FIRST_COMPLETED)
            for future in done:
                sent = future.result()
                record_results(batch=sending.pop(future), sent=sent)
                made += len(sent)


def send_batch(batch: Batch) -> list[DeliveryResult]:
    """Send what is due at one endpoint, one after the other, up to the first that it does not take."""
    until = time.monotonic() + SECONDS_FOR_A_BATCH
    sent: list[DeliveryResult] = []
    for message in batch.messages:
        now = timezone.now()
        headers = build_headers(message.public_id, message.body, batch.secrets, now)
        answered = post(batch.url, message.body.encode(), headers)
        sent.append(DeliveryResult(message, answered, now))
        if not answered.is_taken or time.monotonic() > until:
            break
    return sent


TEST: Final = "test"


def build_body(delivery: Delivery, entry: dict[str, Any] | None) -> str:
    """The body: the same for every endpoint, and the same however often it is sent."""
    at: str | None = format_time(delivery.created_at)
    data: dict[str, Any] = {}
    if entry is not None:
        at, data = entry["at"], {"match": delivery.match_id, "entry": entry}
    form = {"type": delivery.type, "timestamp": at, "data": data}
    return json.dumps(form, separators=(",", ":"), ensure_ascii=False)


def build_headers(
    delivery_id: str, body: str, secrets: Iterable[Secret[str]], now: datetime
) -> dict[str, str]:
    """Its id, the time, and a signature over both and the body for each secret."""
    moment = now.astimezone(UTC)
    signatures = [Signer(secret.reveal()).sign(delivery_id, moment, body) for secret in secrets]
    return {
        "Content-Type": "application/json",
        "User-Agent": "haggis-webhooks/1",
        "webhook-id": delivery_id,
        "webhook-timestamp": str(int(moment.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
