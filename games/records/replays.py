"""Verify large records outside of requests: store them, replay them, and keep the verdict for an hour."""

import secrets
from datetime import datetime, timedelta
from typing import Final, TypedDict

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, Now
from django.utils import timezone
from django.utils.crypto import salted_hmac

from games.core.errors import Problem
from games.core.locks import exclusive_transaction
from games.core.strict_json import check_values
from games.core.times import format_time
from games.gateway.records import VerdictDocument
from games.gateway.replay_process import verify_in_process
from games.records.models import RecordVerification

# Records that wait or are replayed: of all clients, of one client at most, and those replayed at once.
MAX_UNFINISHED: Final = 32
MAX_UNFINISHED_EACH: Final = 4
MAX_RUNNING: Final = 4
# A client may have one unfinished record, and another for each of these places that others leave free.
FREE_PLACES_FOR_EACH: Final = 8
RETRY_AFTER_SECONDS: Final = 10

RETENTION: Final = timedelta(hours=1)
LEASE: Final = timedelta(seconds=90)
MAX_ATTEMPTS: Final = 2
BATCH_SIZE: Final = 1000
_ID_BYTES: Final = 24
# Identifies the advisory lock of PostgreSQL.
_LOCK_ID: Final = 0x_4861_6767_6973_0001


def request_verification(*, body: bytes, client: str) -> RecordVerification:
    """Store a record for the workers; return the existing verification if this client has sent it before.

    A verification that has failed is replaced by a new one: the machine may just have been busy.
    `client` is the address that the limit applies to; only a hash of it is stored.
    """
    check_values(body)
    owner = salted_hmac("games.records.replays", client, algorithm="sha256").hexdigest()
    digest = salted_hmac(owner, body, algorithm="sha256").hexdigest()
    # Concurrent transactions could otherwise exceed a limit after counting.
    with exclusive_transaction(_LOCK_ID):
        existing = _unexpired().filter(digest=digest).first()
        if existing is not None and existing.status != "failed":
            return existing
        _require_capacity(owner)
        RecordVerification.objects.filter(digest=digest).delete()
        return RecordVerification.objects.create(
            id=f"v_{secrets.token_urlsafe(_ID_BYTES)}", client=owner, digest=digest, body=body
        )


def _require_capacity(owner: str) -> None:
    """Refuse a record if its client has its share of the queue, or if the queue is full.

    The share shrinks as others fill the queue, so the last places are for clients that have none: eight
    clients that send what they can take 19 of the 32 places.
    """
    unfinished = RecordVerification.objects.filter(wake_at__isnull=False)
    own, total = unfinished.filter(client=owner).count(), unfinished.count()
    if own >= client_share(of_others=total - own):
        raise Problem("rate_limited", retry_after=RETRY_AFTER_SECONDS)
    if total >= MAX_UNFINISHED:
        raise Problem("unavailable", retry_after=RETRY_AFTER_SECONDS)


def client_share(*, of_others: int) -> int:
    """Return how many unfinished records a client may have, given the number of all others.

    >>> [client_share(of_others=number) for number in (0, 1, 8, 9, 16, 17, 32)]
    [4, 3, 3, 2, 2, 1, 1]
    """
    return max(1, min(MAX_UNFINISHED_EACH, (MAX_UNFINISHED - of_others) // FREE_PLACES_FOR_EACH))


def find_verification(verification_id: str) -> RecordVerification:
    """Return a verification to anybody who knows its id; raise `not_found` after it has expired."""
    verification = _unexpired().filter(pk=verification_id).first()
    if verification is None:
        raise Problem("not_found")
    return verification


def _unexpired() -> QuerySet[RecordVerification]:
    return RecordVerification.objects.defer("body").filter(created_at__gt=timezone.now() - RETENTION)


class VerificationDocument(TypedDict):
    """The state of a verification, as clients read it."""

    id: str
    status: str
    verdict: VerdictDocument | None
    expires_at: str | None


def render_verification(verification: RecordVerification) -> VerificationDocument:
    """Return the state of a verification, with the verdict once it is finished."""
    return {
        "id": verification.pk,
        "status": verification.status,
        "verdict": verification.verdict,
        "expires_at": format_time(verification.created_at + RETENTION),
    }


def verify_next_record() -> bool:
    """Replay the record that is the next in order; return False if none is due."""
    verification = _claim()
    if verification is None:
        return False
    verdict = None
    if verification.attempts <= MAX_ATTEMPTS:
        verdict = verify_in_process(bytes(verification.body or b""))
        if verdict is None and verification.attempts < MAX_ATTEMPTS:
            _claimed(verification).update(wake_at=Now())
            return True
    _claimed(verification).update(verdict=verdict, body=None, wake_at=None)
    return True


def _claim() -> RecordVerification | None:
    """Lease the next record and count the attempt, unless enough are replayed already.

    The clients take turns: first are the records of those who have had the fewest replayed in the last hour.
    """
    with exclusive_transaction(_LOCK_ID):
        running = RecordVerification.objects.filter(attempts__gt=0, wake_at__gt=Now()).count()
        if running >= MAX_RUNNING:
            return None
        served = RecordVerification.objects.filter(client=OuterRef("client"), attempts__gt=0).order_by()
        replayed = Subquery(served.values("client").annotate(count=Count("pk")).values("count"))
        due = (
            RecordVerification.objects.filter(wake_at__lte=Now())
            .annotate(replayed=Coalesce(replayed, 0))
            .order_by("replayed", "wake_at")
        )
        verification = due.select_for_update(skip_locked=True, no_key=True).first()
        if verification is not None:
            verification.attempts += 1
            leased = RecordVerification.objects.filter(pk=verification.pk)
            leased.update(attempts=verification.attempts, wake_at=Now() + LEASE)
    return verification


def _claimed(verification: RecordVerification) -> "QuerySet[RecordVerification]":
    """Return the verification if no other worker has claimed it since."""
    return RecordVerification.objects.filter(pk=verification.pk, attempts=verification.attempts)


def delete_old_verifications(*, now: datetime, at_once: int = BATCH_SIZE) -> int:
    """Delete a batch of expired verifications and return how many were deleted."""
    old = RecordVerification.objects.filter(created_at__lt=now - RETENTION).values_list("pk", flat=True)
    deleted, _ = RecordVerification.objects.filter(pk__in=list(old[:at_once])).delete()
    return deleted
