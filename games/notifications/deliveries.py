"""Claim, sign, send and record webhook deliveries."""

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
from games.notifications import discord
from games.notifications.bodies import build_body, load_notices
from games.notifications.http_client import HttpResult, post
from games.notifications.models import Delivery, Notice, StopReason, Webhook, WebhookFormat

# The event type of test deliveries.
TEST: Final = "test"

LEASE: Final = timedelta(seconds=60)
BATCH_SIZE: Final = 10
MAX_CONCURRENT_BATCHES: Final = 16
# After this time a dispatcher claims no more endpoints, and a batch starts no more requests.
MAX_RUN_SECONDS: Final = 20.0
MAX_BATCH_SECONDS: Final = 15.0
POLL_SECONDS: Final = 0.5

# The delay after each failed attempt; after the last one, about three days later, the delivery has failed.
RETRY_DELAYS: Final = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 60, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600)
)
# The pause of an endpoint after a failure, doubled with each consecutive failure.
INITIAL_BACKOFF: Final = timedelta(seconds=1)
MAX_BACKOFF: Final = timedelta(minutes=10)
# An endpoint that has failed for this long, with at least this many failures, is stopped.
FAILING_LIMIT: Final = timedelta(days=3)
FAILING_ATTEMPTS: Final = 10
JITTER: Final = 0.2
MAX_STORED_ATTEMPTS: Final = 20
# How many settled deliveries of an endpoint are stored, for at most 30 days.
MAX_STORED_DELIVERIES: Final = 1_000

GONE: Final = 410
_RANDOM: Final = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class DeliveryMessage:
    """A delivery to send, with its body."""

    delivery_id: int
    public_id: str
    type: str
    attempt_count: int
    body: str


@dataclass(frozen=True, slots=True)
class Batch:
    """The due deliveries of one endpoint, in order."""

    webhook_id: int
    url: str
    format: WebhookFormat
    secrets: tuple[Secret[str], ...]
    messages: tuple[DeliveryMessage, ...]


def claim_batches(*, at_most: int) -> list[Batch]:
    """Claim up to `at_most` endpoints with due deliveries, least recently served first.

    The lease keeps other senders away from them. If nothing is due, this costs one small query.
    """
    if at_most <= 0 or not Delivery.objects.filter(due_at__lte=Now()).exists():
        return []
    with transaction.atomic():
        webhooks = list(
            _due_webhooks()
            .select_related("player")
            .select_for_update(skip_locked=True, no_key=True, of=("self",))
            .order_by(F("served_at").asc(nulls_first=True), "pk")[:at_most]
        )
        ids = [webhook.pk for webhook in webhooks]
        Webhook.objects.filter(pk__in=ids).update(rests_until=Now() + LEASE, served_at=Now())
    return [_batch(webhook) for webhook in webhooks]


def release_all() -> None:
    """Release all leases and backoffs. Call it only while no other process sends."""
    Webhook.objects.exclude(rests_until=None).update(rests_until=None)


def _due_webhooks() -> QuerySet[Webhook]:
    due = Delivery.objects.filter(webhook=OuterRef("pk"), due_at__lte=Now())
    available = Q(rests_until=None) | Q(rests_until__lte=Now())
    return Webhook.objects.filter(available, Exists(due), active=True)


def _batch(webhook: Webhook) -> Batch:
    entry = Move.objects.filter(match=OuterRef("match"), version=OuterRef("version")).values("entry")
    due = Delivery.objects.filter(webhook=webhook, due_at__lte=Now()).order_by("pk")
    deliveries = list(due.annotate(entry=Subquery(entry[:1], output_field=JSONField()))[:BATCH_SIZE])
    notices = load_notices(deliveries)
    messages = []
    for each in deliveries:
        body = build_body(webhook, each, each.entry, notices.get(each.notice_id or 0))
        if body is None:
            Delivery.objects.filter(pk=each.pk).update(status=DeliveryStatus.FAILED, due_at=None)
        else:
            messages.append(DeliveryMessage(each.pk, each.public_id, each.type, each.tried, body))
    old = webhook.valid_old_secrets(timezone.now())
    secrets = (webhook.secret, *(each.secret for each in old))
    return Batch(webhook.pk, webhook.url, WebhookFormat(webhook.format), secrets, tuple(messages))


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """The outcome of sending one message of a batch."""

    message: DeliveryMessage
    result: HttpResult
    at: datetime


_BatchFuture = Future[list[DeliveryResult]]


def record_results(*, batch: Batch, results: Sequence[DeliveryResult]) -> None:
    """Record the results of a batch and release its endpoint."""
    now = timezone.now()
    with transaction.atomic():
        webhook = Webhook.objects.select_for_update(no_key=True).filter(pk=batch.webhook_id).first()
        if webhook is None:
            return
        for each in results:
            _record_delivery(each, batch.format, now)
        _update_webhook(webhook, results, now)
        _delete_surplus(webhook)


def _record_delivery(outcome: DeliveryResult, format_: WebhookFormat, now: datetime) -> None:
    message, result = outcome.message, outcome.result
    row = Delivery.objects.filter(pk=message.delivery_id, status=DeliveryStatus.PENDING).first()
    if row is None:
        return
    row.tried = message.attempt_count + 1
    row.attempts = [*row.attempts, _attempt(outcome)][-MAX_STORED_ATTEMPTS:]
    wait = _requested_wait(result, format_)
    is_too_old = format_ == WebhookFormat.DISCORD and now - row.created_at > discord.MAX_AGE
    if result.is_success:
        row.status, row.due_at = DeliveryStatus.DELIVERED, None
    elif wait is not None and not is_too_old:
        row.tried, row.due_at = message.attempt_count, now + wait
    elif message.type == TEST or is_too_old or row.tried > len(RETRY_DELAYS) or _says_gone(result, format_):
        row.status, row.due_at = DeliveryStatus.FAILED, None
    else:
        row.due_at = now + _with_jitter(RETRY_DELAYS[row.tried - 1])
    row.save(update_fields=["tried", "attempts", "status", "due_at"])


def _requested_wait(result: HttpResult, format_: WebhookFormat) -> timedelta | None:
    """Return how long Discord asks to wait before the next request, or `None`.

    It limits how much may be sent to a channel, so this is not a failure of the endpoint.
    """
    if format_ != WebhookFormat.DISCORD or result.retry_after is None:
        return None
    return min(result.retry_after, discord.MAX_RETRY_AFTER)


def _says_gone(result: HttpResult, format_: WebhookFormat) -> bool:
    """Return whether the response says that the endpoint does not exist any more."""
    return result.status in (discord.GONE if format_ == WebhookFormat.DISCORD else {GONE})


def _delete_surplus(webhook: Webhook) -> None:
    """Delete the settled deliveries of an endpoint except its latest ones."""
    latest = Delivery.objects.filter(webhook=webhook).order_by("-pk").values_list("pk", flat=True)
    for surplus in latest[MAX_STORED_DELIVERIES : MAX_STORED_DELIVERIES + 1]:
        Delivery.objects.filter(webhook=webhook, pk__lte=surplus, due_at=None).delete()


def _attempt(outcome: DeliveryResult) -> dict[str, Any]:
    result = outcome.result
    return {
        "at": format_time(outcome.at),
        "status": result.status,
        "error": result.error,
        "milliseconds": result.milliseconds,
    }


def _with_jitter(delay: timedelta) -> timedelta:
    """Return the delay with random jitter, so that simultaneous failures are not retried simultaneously."""
    return delay * _RANDOM.uniform(1 - JITTER, 1 + JITTER)


def _update_webhook(webhook: Webhook, results: Sequence[DeliveryResult], now: datetime) -> None:
    """Back off if the last attempt failed, and stop the endpoint if it has been failing for long."""
    wait = _requested_wait(results[-1].result, WebhookFormat(webhook.format)) if results else None
    if not results:
        webhook.rests_until = None
    elif wait is not None:
        webhook.rests_until = now + wait
    elif results[-1].result.is_success:
        webhook.failures, webhook.failing_since, webhook.rests_until = 0, None, None
    else:
        if any(each.result.is_success for each in results):
            webhook.failures, webhook.failing_since = 0, None
        webhook.failures += 1
        webhook.failing_since = webhook.failing_since or now
        backoff = min(INITIAL_BACKOFF * 2 ** min(webhook.failures - 1, 20), MAX_BACKOFF)
        webhook.rests_until = now + _with_jitter(backoff)
        _stop_if_failing(webhook, results[-1].result, now)
    webhook.save(
        update_fields=["failures", "failing_since", "rests_until", "active", "stopped_because", "stopped_at"]
    )


def _stop_if_failing(webhook: Webhook, result: HttpResult, now: datetime) -> None:
    since = webhook.failing_since or now
    if _says_gone(result, WebhookFormat(webhook.format)):
        reason = StopReason.GONE
    elif now - since >= FAILING_LIMIT and webhook.failures >= FAILING_ATTEMPTS:
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


def dispatch(*, seconds: float = MAX_RUN_SECONDS) -> int:
    """Send due deliveries until none is left or the time is up, and return the number of requests.

    It is safe to run in several processes. If one of them dies, another claims its batches when their leases
    have expired.
    """
    until = time.monotonic() + seconds
    count = 0
    sending: dict[_BatchFuture, Batch] = {}
    with ThreadPoolExecutor(MAX_CONCURRENT_BATCHES, thread_name_prefix="webhooks") as threads:
        while True:
            if time.monotonic() < until:
                for batch in claim_batches(at_most=MAX_CONCURRENT_BATCHES - len(sending)):
                    sending[threads.submit(send_batch, batch)] = batch
            if not sending:
                return count
            done, _ = wait(sending, POLL_SECONDS, FIRST_COMPLETED)
            for future in done:
                results = future.result()
                record_results(batch=sending.pop(future), results=results)
                count += len(results)


def send_batch(batch: Batch) -> list[DeliveryResult]:
    """Send the messages of a batch in order, up to the first failure."""
    until = time.monotonic() + MAX_BATCH_SECONDS
    results: list[DeliveryResult] = []
    for message in batch.messages:
        now = timezone.now()
        headers = build_headers(message.public_id, message.body, batch.secrets, now)
        result = post(batch.url, message.body.encode(), headers)
        results.append(DeliveryResult(message, result, now))
        if not result.is_success or time.monotonic() > until:
            break
    return results


def build_headers(
    delivery_id: str, body: str, secrets: Iterable[Secret[str]], now: datetime
) -> dict[str, str]:
    """Return the headers of Standard Webhooks, with one signature for each secret."""
    moment = now.astimezone(UTC)
    signatures = [Signer(secret.reveal()).sign(delivery_id, moment, body) for secret in secrets]
    return {
        "Content-Type": "application/json",
        "User-Agent": "haggis-webhooks/1",
        "webhook-id": delivery_id,
        "webhook-timestamp": str(int(moment.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
