"""Conditional responses: an ETag for each viewer, and 304 if the client's copy is current."""

from collections.abc import Callable
from enum import Enum
from typing import Final, TypeVar

from django.http import HttpResponse
from django.utils.crypto import salted_hmac
from django.utils.http import parse_etags
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import current_player
from games.api.throttling import refund_unmodified

_SALT: Final = "games.api.conditional"
_SHARED_SALT: Final = "games.api.conditional.shared"
NOT_MODIFIED: Final = 304

Built = TypeVar("Built", bound=HttpResponse)


def entity_tag(request: Request, *parts: object) -> str:
    """Return the ETag of this URL for this viewer; `parts` is everything that the response depends on.

    The tag is an HMAC, so that nothing can be inferred from it, and includes the viewer, so that two viewers
    never share a tag. It is weak, because the time in the response does not count.
    """
    player = current_player(request)
    target = (request.get_full_path(), getattr(request, "accepted_media_type", ""))
    inputs = repr((None if player is None else player.pk, target, tuple(map(str, parts))))
    return f'W/"{salted_hmac(_SALT, inputs, algorithm="sha256").hexdigest()[:32]}"'


def etag_matches(request: Request, tag: str) -> bool:
    """Return whether `If-None-Match` contains this tag or is `*`."""
    header = request.META.get("HTTP_IF_NONE_MATCH", "")
    client_tags = {_strip_weak_prefix(each) for each in parse_etags(header)}
    return bool(client_tags & {"*", _strip_weak_prefix(tag)})


def _strip_weak_prefix(tag: str) -> str:
    return tag.removeprefix("W/")


class Caching(Enum):
    """Who may store a response, besides the client that requested it, and for how long."""

    # Depends on the viewer, and has to be revalidated.
    VIEWER = "private, no-cache"
    # The same for everybody without a token, and has to be revalidated.
    PUBLIC = "public, no-cache"
    # The same for everybody without a token, and never changes again.
    FINAL = "public, max-age=604800"


def conditional_response(
    request: Request, *parts: object, build: Callable[[], Built], caching: Caching = Caching.VIEWER
) -> Built | Response:
    """Return 304 if the client's copy is current, else the response of `build`; either has the ETag.

    With a token the response belongs to its viewer, who may store it for as long.
    """
    is_shared = caching is not Caching.VIEWER and current_player(request) is None
    tag = shared_entity_tag(request, *parts) if is_shared else entity_tag(request, *parts)
    if etag_matches(request, tag):
        response: Built | Response = Response(status=NOT_MODIFIED)
        refund_unmodified(request)
    else:
        response = build()
    response["ETag"] = tag
    if caching is not Caching.VIEWER:
        scope = "public" if is_shared else "private"
        response["Cache-Control"] = caching.value.replace("public", scope)
    return response


def shared_entity_tag(request: Request, *parts: object) -> str:
    """Return the strong ETag of this URL for everybody without a token.

    Only for responses without the current time. It includes the host, which is part of the URLs of pages.
    """
    media_type = getattr(request, "accepted_media_type", "")
    inputs = repr((request.build_absolute_uri(), media_type, tuple(map(str, parts))))
    return f'"{salted_hmac(_SHARED_SALT, inputs, algorithm="sha256").hexdigest()[:32]}"'
