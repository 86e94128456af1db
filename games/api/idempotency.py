"""`Idempotency-Key`: a POST that is sent twice takes effect once and gets the same response twice."""

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
from games.core.languages import message
from games.identity.models import Player
from games.matches.commit import RequestKey
from games.matches.stored_answers import names_in, replace_names, restore_names

HEADER: Final = "HTTP_IDEMPOTENCY_KEY"
REPLAYED_HEADER: Final = "Idempotency-Replayed"
RETENTION: Final = timedelta(hours=24)
BATCH_SIZE: Final = 5_000
_FIRST_UNSTORED_STATUS: Final = 300

PostHandler = Callable[..., Response]


def idempotent(post: PostHandler) -> PostHandler:
    """Replay the response to the first request for later ones with the same key and body."""

    @functools.wraps(post)
    def handler(view: object, request: Request, **route: str) -> Response:
        key = request_key(request)
        if key is None:
            return post(view, request, **route)
        return _run_once(key, lambda: post(view, request, **route))

    handler.idempotency = "stored"  # type: ignore[attr-defined]  # a test checks that each POST sets it
    return handler


def not_idempotent(post: PostHandler) -> PostHandler:
    """Ignore the header, because the response contains a secret or the request has no effect."""
    post.idempotency = "never"  # type: ignore[attr-defined]  # as above
    return post


def stored_with_event(post: PostHandler) -> PostHandler:
    """Let the service store the response, which it inserts with the event (see `answer_once`)."""
    post.idempotency = "stored"  # type: ignore[attr-defined]  # as above
    return post


def request_key(request: Request) -> RequestKey | None:
    """Return the key of the request with what it identifies, or None without a key or a player."""
    key = request.META.get(HEADER)
    player = current_player(request)
    if key is None or player is None:
        return None
    if not 1 <= len(key) <= MAX_KEY_LENGTH or not (key.isascii() and key.isprintable()):
        raise Problem(
            "invalid_parameter",
            message("Idempotency-Key must be 1 to {most} printable ASCII characters.", most=MAX_KEY_LENGTH),
        )
    return RequestKey(
        player_id=player.pk,
        method=request.method or "",
        path=request.path,
        key=key,
        body_hash=body_hash(request.data),
    )


def body_hash(body: object) -> str:
    """Return a digest of a parsed body that ignores whitespace and the order of members.

    >>> body_hash({"a": 1, "b": 2}) == body_hash({"b": 2, "a": 1})
    True
    """
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def answer_once(key: RequestKey | None, act: Callable[[], Response]) -> Response:
    """Act, or replay the response that was stored when the same request acted before.

    The key is not looked up first, which saves a query for every new request. It is inserted together with
    the event. If the insert fails, or if the action is rejected because it has already happened, the stored
    response is looked up. An expired key is deleted, and the action is tried once more.
    """
    if key is None:
        return act()
    for _ in range(2):
        try:
            return act()
        except (Problem, IntegrityError) as error:
            stored = find_answer(key)
            if stored is not None:
                return stored
            _delete_expired(key)
            if isinstance(error, Problem):
                raise
    raise Problem("request_in_flight")


def find_answer(key: RequestKey) -> Response | None:
    """Return the response stored for this key, or raise if it belongs to a request with another body."""
    stored = _rows_of(key).filter(created__gte=timezone.now() - RETENTION).first()
    if stored is None:
        return None
    if stored.body_hash != key.body_hash:
        raise Problem("idempotency_key_reused")
    headers = {REPLAYED_HEADER: "true"} | ({"Location": stored.location} if stored.location else {})
    return Response(restore_names(stored.body), status=stored.status, headers=headers)


def delete_old_keys(*, now: datetime, at_once: int = BATCH_SIZE) -> int:
    """Delete a batch of expired keys and return how many were deleted."""
    old = IdempotencyKey.objects.filter(created__lt=now - RETENTION).values_list("pk", flat=True)
    deleted, _ = IdempotencyKey.objects.filter(pk__in=list(old[:at_once])).delete()
    return deleted


def _run_once(key: RequestKey, act: Callable[[], Response]) -> Response:
    with transaction.atomic():
        stored = _reserve(key)
        if stored is not None:
            return stored
        _require_active_player(key)
        response = act()
        if response.status_code >= _FIRST_UNSTORED_STATUS:
            transaction.set_rollback(True)
        else:
            _store(key, response)
        return response


def _reserve(key: RequestKey) -> Response | None:
    """Insert the key for this request, or return the response that is stored for it.

    The unique constraint makes a second insert of the same key wait until the first transaction ends, so a
    concurrent request with the same key waits for the response of the first.
    """
    for _ in range(2):
        stored = find_answer(key)
        if stored is not None:
            return stored
        try:
            with transaction.atomic():
                IdempotencyKey.objects.create(**key._asdict(), created=Now())
        except IntegrityError:
            _delete_expired(key)  # otherwise the other request has committed: read its response
            continue
        except OperationalError as error:
            raise Problem("request_in_flight") from error
        return None
    raise Problem("request_in_flight")


def _require_active_player(key: RequestKey) -> None:
    """Raise `not_authenticated` if the account has been closed since the request was authenticated.

    The inserted key refers to the player, and a deletion waits for such transactions before it deletes keys.
    """
    if not Player.objects.filter(pk=key.player_id, is_active=True).exists():
        raise Problem("not_authenticated")


def _store(key: RequestKey, response: Response) -> None:
    """Store a response in the transaction of its action."""
    rendered = CompactJSONRenderer().render(response.data).decode()
    players = Player.objects.filter(username__in=names_in(rendered))
    rendered = replace_names(rendered, dict(players.values_list("username", "pk")))
    body: Any = json.loads(rendered) if rendered else None
    location = response.headers.get("Location", "")
    _rows_of(key).update(status=response.status_code, body=body, location=location)


def _delete_expired(key: RequestKey) -> None:
    _rows_of(key).filter(created__lt=timezone.now() - RETENTION).delete()


def _rows_of(key: RequestKey) -> "QuerySet[IdempotencyKey]":
    """Return the query set of the row with this key, which has at most one row."""
    return IdempotencyKey.objects.filter(
        player_id=key.player_id, method=key.method, path=key.path, key=key.key
    )
