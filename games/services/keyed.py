"""A request that may be sent twice: its answer is stored with its effect, and given again."""

from dataclasses import dataclass
from typing import Any

from games.errors import Problem
from games.models import IdempotencyKey
from games.services.event_write import EventWrite

Answer = tuple[int, Any]


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
    stored = IdempotencyKey.objects.filter(
        player_id=request.player_id, method=request.method, path=request.path, key=request.key
    ).first()
    if stored is None or stored.status is None:
        return None
    if stored.body_hash != request.body_hash:
        raise Problem("idempotency_key_reused")
    return stored.status, stored.body
