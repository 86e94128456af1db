"""`Idempotency-Key`: a POST sent twice has one effect and one answer."""

import functools
import hashlib
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import IntegrityError, OperationalError, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import current_player
from games.api.content import CompactJSONRenderer
from games.api.models import MAX_KEY_LENGTH, IdempotencyKey
from games.core.errors import Problem
from games.matches.commit import RequestKey

HEADER: Final = "HTTP_IDEMPOTENCY_KEY"
RETENTION: Final = timedelta(hours=24)
AT_ONCE: Final = 5_000
_FIRST_REFUSAL: Final = 300

PostHandler = Callable[..., Response]


def idempotent(post: PostHandler) -> PostHandler:
    """Give the answer to the first request to every later one with the same key and body."""

    @functools.wraps(post)
    def answer(view: object, request: Request, **route: str) -> Response:
        key = request_key(request)
        if key is None:
            return post(view, request, **route)
        return _run_once(key, lambda: post(view, request, **route))

    answer.idempotency = "kept"  # type: ignore[attr-defined]  # a test sees to it that each POST has decided
    return answer


def not_idempotent(post: PostHandler) -> PostHandler:
    """Ignore the header: the answer holds a secret and is never stored, or nothing is done."""
    post.idempotency = "never"  # type: ignore[attr-defined]  # as above
    return post


def stored_with_event(post: PostHandler) -> PostHandler:
    """Leave it to the action, which stores the answer in its own statement (`answer_once`)."""
    post.idempotency = "kept"  # type: ignore[attr-defined]  # as above
    return post


def request_key(request: Request) -> RequestKey | None:
    """Return the key with all that it stands for; None without a key or without a token."""
    key = request.META.get(HEADER)
    player = current_player(request)
    if key is None or player is None:
        return None
    if not 1 <= len(key) <= MAX_KEY_LENGTH or not (key.isascii() and key.isprintable()):
        raise Problem("invalid_parameter", f"Idempotency-Key is 1 to {MAX_KEY_LENGTH} printable characters.")
    return RequestKey(
        player_id=player.pk,
        method=request.method or "",
        path=request.path,
        key=key,
        body_hash=body_hash(request.data),
    )


def body_hash(body: object) -> str:
    """Return a digest of a body as parsed: neither spaces nor the order of members count.

    >>> body_hash({"a": 1, "b": 2}) == body_hash({"b": 2, "a": 1})
    True
    """
    plain = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(plain.encode()).hexdigest()


def answer_once(key: RequestKey | None, act: Callable[[], Response]) -> Response:
    """Act, or give the answer again that was stored when this request acted before.

    The key is not looked up first. It is inserted with the event: if that fails, or if the action is refused
    because it has already happened, its answer is there. A key that has expired is deleted, and the action
    tried once more.
    """
    if key is None:
        return act()
    for _ in range(2):
        try:
            return act()
        except (Problem, IntegrityError) as refused:
            stored = find_answer(key)
            if stored is not None:
                return stored
            _delete_expired(key)
            if isinstance(refused, Problem):
                raise
    raise Problem("request_in_flight")


def find_answer(key: RequestKey) -> Response | None:
    """Return what was answered to this key within a day; refuse if that was another request."""
    found = _rows_of(key).filter(created__gte=timezone.now() - RETENTION).first()
    if found is None:
        return None
    if found.body_hash != key.body_hash:
        raise Problem("idempotency_key_reused")
    headers = {"Location": found.location} if found.location else None
    return Response(found.body, status=found.status, headers=headers)


def delete_old_keys(*, now: datetime, at_once: int = AT_ONCE) -> int:
    """Delete keys older than a day, a bounded number at a time; return how many."""
    old = IdempotencyKey.objects.filter(created__lt=now - RETENTION).values_list("pk", flat=True)
    deleted, _ = IdempotencyKey.objects.filter(pk__in=list(old[:at_once])).delete()
    return deleted


def _run_once(key: RequestKey, act: Callable[[], Response]) -> Response:
    with transaction.atomic():
        stored = _reserve(key)
        if stored is not None:
            return stored
        response = act()
        if response.status_code >= _FIRST_REFUSAL:
            transaction.set_rollback(True)
        else:
            _store(key, response)
        return response


def _reserve(key: RequestKey) -> Response | None:
    """Insert the key for this request, or return what was answered to it before.

    The database makes the second row of one key wait for the fate of the first: so a request that is just
    being answered elsewhere is waited for.
    """
    for _ in range(2):
        stored = find_answer(key)
        if stored is not None:
            return stored
        try:
            with transaction.atomic():
                IdempotencyKey.objects.create(**key._asdict(), created=Now())
        except IntegrityError:
            _delete_expired(key)  # or the other request has been answered: read that
            continue
        except OperationalError as error:
            raise Problem("request_in_flight") from error
        return None
    raise Problem("request_in_flight")


def _store(key: RequestKey, response: Response) -> None:
    """Store an answer in the transaction of its action."""
    rendered = CompactJSONRenderer().render(response.data)
    body: Any = json.loads(rendered) if rendered else None
    location = response.headers.get("Location", "")
    _rows_of(key).update(status=response.status_code, body=body, location=location)


def _delete_expired(key: RequestKey) -> None:
    _rows_of(key).filter(created__lt=timezone.now() - RETENTION).delete()


def _rows_of(key: RequestKey) -> "QuerySet[IdempotencyKey]":
    """Return where the answer to a request is stored: one row at most."""
    return IdempotencyKey.objects.filter(
        player_id=key.player_id, method=key.method, path=key.path, key=key.key
    )
