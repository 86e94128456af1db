"""Keys of requests that may be sent twice: kept with their answers for a day.

Acting at a table stores its own in the one statement that it is (`games.services.keyed`); all other requests
go through here, inside the transaction of their action.
"""

from datetime import datetime
from typing import Any, Final

from django.db import IntegrityError, OperationalError, transaction
from django.db.models.functions import Now

from games.errors import Problem
from games.models import IdempotencyKey
from games.services.keyed import KEPT_FOR, KeyedRequest, kept_for, rows_of

AT_ONCE: Final = 5_000


def reserve_key(*, request: KeyedRequest) -> IdempotencyKey | None:
    """Put the key down for this request; or what was answered to it before.

    Somebody else who is just answering it is waited for: the database makes the second row with one key wait
    for the fate of the first.
    """
    for _ in range(2):
        kept = kept_for(request)
        if kept is not None:
            return kept
        try:
            with transaction.atomic():
                _put_down(request)
        except IntegrityError:
            continue  # the other one has answered: read it
        except OperationalError as error:
            raise Problem("request_in_flight") from error
        return None
    raise Problem("request_in_flight")


def _put_down(request: KeyedRequest) -> None:
    IdempotencyKey.objects.create(
        player_id=request.player_id,
        method=request.method,
        path=request.path,
        key=request.key,
        body_hash=request.body_hash,
        created=Now(),
    )


def keep_whole_answer(*, request: KeyedRequest, status: int, body: Any, location: str) -> None:  # noqa: ANN401 -- JSON
    """Store what was answered, in the transaction of the action itself."""
    rows_of(request).update(status=status, body=body, location=location)


def forget_old_keys(*, now: datetime, at_once: int = AT_ONCE) -> int:
    """Delete keys older than a day, a bounded number at a time; how many were deleted."""
    old = IdempotencyKey.objects.filter(created__lt=now - KEPT_FOR).values_list("pk", flat=True)
    deleted, _ = IdempotencyKey.objects.filter(pk__in=list(old[:at_once])).delete()
    return deleted
