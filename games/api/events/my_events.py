"""`GET /me/events`: what happens at all tables of a player, as a stream or a page at a time."""

from typing import Any, ClassVar, Final

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.authentication import signed_in
from games.api.events.cursors import cursor_of, place_asked
from games.api.events.door import Awaited, answer_later, door_of, enter, seconds_asked
from games.api.events.forms import ENTRY, START, Lines, ServerSent, frame, written
from games.api.events.openings import OfPlayer, opened, reader_of
from games.api.events.operations import FOLLOW_MY_TABLES
from games.api.events.tickets import TokenOrTicket
from games.api.lobby.lists import READ
from games.api.paging import address_with, limit_asked
from games.api.permissions import Needs
from games.api.rendering import CompactJSON
from games.api.schema.operation import Operation
from games.api.view import ApiView
from games.selectors.player_events import Batch, Place, Told, events_after, here_and_now

Form = dict[str, Any]

_PAGE: Final = "application/json"


class MyEventsView(ApiView):
    """Everything that happens at the tables where the player holds a seat, taken or offered."""

    access: ClassVar[dict[str, Needs]] = {"GET": READ}
    operations: ClassVar[dict[str, Operation]] = {"GET": FOLLOW_MY_TABLES}
    authentication_classes = (TokenOrTicket,)
    renderer_classes = (CompactJSON, ServerSent, Lines)

    def get(self, request: Request) -> HttpResponse:
        """Give what comes after a cursor; without one, what comes from now on."""
        if request.accepted_media_type == _PAGE:
            return _page(request)
        place = place_asked(request)
        enter(request)
        return opened(_opening(request, place))


def _opening(request: Request, place: Place | None) -> OfPlayer:
    reader, player_id = reader_of(request), signed_in(request).pk
    if place is not None:
        return OfPlayer(reader=reader, player_id=player_id, place=place)
    place = here_and_now()
    return OfPlayer(
        reader=reader, player_id=player_id, place=place, first=start_frame(reader.form, place, missed=False)
    )


def _page(request: Request) -> Response:
    seconds, limit = seconds_asked(request), limit_asked(request)
    place = place_asked(request) or _begun(request)
    player_id = signed_in(request).pk
    batch = events_after(player_id, place, limit=limit)
    response = Response(_form(request, batch))
    if batch.told or batch.more or batch.anew:
        return response
    return answer_later(request, response, Awaited(seconds=seconds, player_id=player_id))


def _begun(request: Request) -> Place:
    """Now; or, for a request that has waited, when it began to."""
    door = door_of(request)
    if door is None:
        return here_and_now()
    if not isinstance(door.kept, Place):
        door.kept = here_and_now()
    return door.kept


def _form(request: Request, batch: Batch) -> Form:
    cursor = cursor_of(batch.place)
    return {
        "next": address_with(request, after=cursor) if batch.more else None,
        "previous": None,
        "cursor": cursor,
        "missed": batch.anew,
        "results": [{"cursor": cursor_of(told.place), **told.form} for told in batch.told],
    }


def start_frame(form: str, place: Place, *, missed: bool) -> bytes:
    """What a stream says where it begins anew; `missed` is true where more was missed than is given again."""
    return frame(form, START, cursor_of(place), written({"missed": missed}))


def told_frame(form: str, told: Told) -> bytes:
    """One entry of some match, as the stream says it."""
    return frame(form, ENTRY, cursor_of(told.place), written(told.form))
