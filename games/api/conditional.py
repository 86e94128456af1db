"""Answers that need not be sent again: an ETag for each viewer, and 304 for whoever has it already."""

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
    """The tag of what this viewer sees at this address, `parts` being all that it depends on.

    It is keyed, so that nothing can be guessed from it, and made with the viewer, so that two viewers of one
    thing never hold the same tag. It is weak: the time that an answer was given at does not count for it.
    """
    player = current_player(request)
    asked = (request.get_full_path(), getattr(request, "accepted_media_type", ""))
    whole = repr((None if player is None else player.pk, asked, tuple(map(str, parts))))
    return f'W/"{salted_hmac(_SALT, whole, algorithm="sha256").hexdigest()[:32]}"'


def etag_matches(request: Request, tag: str) -> bool:
    """Whether the client says that it holds this already; `*` holds whatever is there."""
    asked = request.META.get("HTTP_IF_NONE_MATCH", "")
    held = {_strip_weak_prefix(each) for each in parse_etags(asked)}
    return bool(held & {"*", _strip_weak_prefix(tag)})


def _strip_weak_prefix(tag: str) -> str:
    return tag.removeprefix("W/")


def conditional_response(request: Request, *parts: object, build: Callable[[], Response]) -> Response:
    """304 where the client has it, else what `build` makes, tagged. `build` is not called in vain."""
    tag = entity_tag(request, *parts)
    response = Response(status=NOT_MODIFIED) if etag_matches(request, tag) else build()
    response["ETag"] = tag
    return response
