"""Conditional responses: an ETag for each viewer, and 304 if the client's copy is current."""

from collections.abc import Callable
from typing import Final

from django.utils.crypto import salted_hmac
from django.utils.http import parse_etags
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import current_player

_SALT: Final = "games.api.conditional"
NOT_MODIFIED: Final = 304


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


def conditional_response(request: Request, *parts: object, build: Callable[[], Response]) -> Response:
    """Return 304 if the client's copy is current, else the response of `build`; either has the ETag."""
    tag = entity_tag(request, *parts)
    response = Response(status=NOT_MODIFIED) if etag_matches(request, tag) else build()
    response["ETag"] = tag
    return response
