"""`Idempotency-Key`: a POST that may be sent twice has one effect and one answer.

    @idempotent
    def post(self, request: Request, match_id: str) -> Response: ...

The key is put down, the action done and its answer stored in one transaction. A second request with the key
waits in the database for the first, then gets its answer. What is not 2xx takes the key back with it.
"""

import functools
import hashlib
import json
from collections.abc import Callable
from typing import Final

from django.db import transaction
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.authentication import viewer
from games.api.rendering import CompactJSON
from games.errors import Problem
from games.models.idempotency_key import LONGEST_KEY
from games.services.kept_answers import keep_whole_answer, reserve_key
from games.services.keyed import KeyedRequest

HEADER: Final = "HTTP_IDEMPOTENCY_KEY"
_FIRST_REFUSAL: Final = 300

Post = Callable[..., Response]


def idempotent(post: Post) -> Post:
    """Give the answer to the first request to every later one with the same key and body."""

    @functools.wraps(post)
    def answer(view: object, request: Request, **route: str) -> Response:
        keyed = keyed_request(request)
        if keyed is None:
            return post(view, request, **route)
        return _once(keyed, lambda: post(view, request, **route))

    answer.idempotency = "kept"  # type: ignore[attr-defined]  # a test sees to it that each POST has decided
    return answer


def never_kept(post: Post) -> Post:
    """Ignore the header: the answer holds a secret and is never stored, or nothing is done."""
    post.idempotency = "never"  # type: ignore[attr-defined]  # as above
    return post


def kept_by_its_service(post: Post) -> Post:
    """Leave it to the service, which stores the answer in the statement of the action itself."""
    post.idempotency = "kept"  # type: ignore[attr-defined]  # as above
    return post


def keyed_request(request: Request) -> KeyedRequest | None:
    """The key with all that it stands for; None without a key, and for whoever shows no token."""
    key = request.META.get(HEADER)
    player = viewer(request)
    if key is None or player is None:
        return None
    if not 1 <= len(key) <= LONGEST_KEY or not (key.isascii() and key.isprintable()):
        raise Problem("invalid_parameter", f"Idempotency-Key is 1 to {LONGEST_KEY} printable characters.")
    return KeyedRequest(
        player_id=player.pk,
        method=request.method or "",
        path=request.path,
        key=key,
        body_hash=body_hash(request.data),
    )


def body_hash(body: object) -> str:
    """A digest of a body as parsed: neither spaces nor the order of members count.

    >>> body_hash({"a": 1, "b": 2}) == body_hash({"b": 2, "a": 1})
    True
    """
    plain = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(plain.encode()).hexdigest()


def _once(keyed: KeyedRequest, act: Callable[[], Response]) -> Response:
    with transaction.atomic():
        kept = reserve_key(request=keyed)
        if kept is not None:
            headers = {"Location": kept.location} if kept.location else None
            return Response(kept.body, status=kept.status, headers=headers)
        response = act()
        if response.status_code >= _FIRST_REFUSAL:
            transaction.set_rollback(True)
        else:
            _keep(keyed, response)
        return response


def _keep(keyed: KeyedRequest, response: Response) -> None:
    rendered = CompactJSON().render(response.data)
    body = json.loads(rendered) if rendered else None
    keep_whole_answer(
        request=keyed,
        status=response.status_code,
        body=body,
        location=response.headers.get("Location", ""),
    )
