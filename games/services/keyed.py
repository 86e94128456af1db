"""A request that may be sent twice: its answer is stored with its effect, and given again."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db.models import QuerySet
from django.utils import timezone

from games.errors import Problem
from games.models import IdempotencyKey
from games.services.event_write import EventWrite

Answer = tuple[int, Any]

KEPT_FOR: Final = timedelta(hours=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedRequest:
    """Who asked what under which key; the body is known by its digest."""

    player_id: int
    method: str
    path: str
    key: str
    body_hash: str


def keep_answer(write: EventWrite, request: KeyedRequest, answer: Answer) -> None:
    """Store the answer with the event that it tells of."""
    status, body = answer
    write.insert(
        IdempotencyKey,
        player=request.player_id,
        method=request.method,
        path=request.path,
        key=request.key,
        body_hash=request.body_hash,
        status=status,
        body=body,
    )


def stored_answer(request: KeyedRequest) -> Answer | None:
    """What was answered to this key before; refused when that was another request."""
    kept = kept_for(request)
    return None if kept is None else (kept.status, kept.body)


def kept_for(request: KeyedRequest) -> IdempotencyKey | None:
    """The row of this request's key; one that is older than a day frees the key instead."""
    kept = rows_of(request).first()
    if kept is None:
        return None
    if kept.created < timezone.now() - KEPT_FOR:
        kept.delete()
        return None
    if kept.body_hash != request.body_hash:
        raise Problem("idempotency_key_reused")
    return kept


def rows_of(request: KeyedRequest) -> QuerySet[IdempotencyKey]:
    """Where the answer to a request is kept: one row at most."""
    return IdempotencyKey.objects.filter(
        player_id=request.player_id, method=request.method, path=request.path, key=request.key
    )
