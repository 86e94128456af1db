"""A stream as its view asks for it: for whom, of what, from where on, and what to say first."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse

from games.api.authentication import Credentials, viewer
from games.selectors.player_events import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who reads a stream: it is closed when this token, or the right to see what it is of, is lost."""

    player_id: int | None
    token: str | None
    form: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OfMatch:
    """The log of one match after a version, the match being at `version` by now.

    `over` says that there will be nothing more.
    """

    reader: Reader
    match_id: str
    version: int
    after: int
    over: bool
    first: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfPlayer:
    """What happens at all tables of a player after a place."""

    reader: Reader
    player_id: int
    place: Place
    first: bytes = b""


Opening = OfMatch | OfPlayer


def reader_of(request: Any) -> Reader:
    """Who asks for the stream, and in which form."""
    player = viewer(request)
    token = request.auth.token.digest if isinstance(request.auth, Credentials) else None
    return Reader(
        player_id=None if player is None else player.pk, token=token, form=request.accepted_media_type
    )


def opened(opening: Opening) -> HttpResponse:
    """The answer whose body the server will write, as it happens. Nothing between may hold it back."""
    response = HttpResponse(
        content_type=opening.reader.form,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
    response.opening = opening  # type: ignore[attr-defined]  # read by games.streams.front
    return response
