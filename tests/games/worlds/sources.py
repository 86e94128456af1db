"""Everything that a viewer can request about a match: all API routes, streams, and the pages of operators.

Each source lists requests without sending them. Add a new source to `MATCH_SOURCES` or `OTHER_SOURCES`.
Routes of the API are included automatically.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from django.test import Client, RequestFactory
from django.urls import resolve

from games.api.long_polling import LONG_POLL_KEY, ConnectionSlots, LongPollContext
from tests.games.api.routes import METHODS, addresses
from tests.games.worlds.answers import Answer
from tests.support.clients import HttpPlayer

Request = Callable[[], Answer]
Requests = Mapping[str, Request]

# Each pair of worlds sends a part of the requests outside the match; this many pairs send all of them. The
# number is coprime to the number of table sizes, which alternate too.
PAIRS_PER_FULL_COVERAGE: Final = 3

# The route whose effect reveals cards.
_REVEALS_CARDS: Final = "resign"
_PARTS: Final = {
    "number": "1",
    "key": "classic",
    "token_id": "t_0",
    "webhook_id": "wh_0",
    "delivery_id": "msg_0",
    "device_id": "dv_0",
    "verification_id": "v_0",
    "puzzle_id": "p_0",
    "lesson": "unknown",
    "file_name": "players.csv",
}
_QUERIES: Final = {
    "legal-moves": ("", "?expand=plays", "?kind=bomb"),
    "moves": ("", "?after=2"),
    "my-matches": ("", "?include=table,legal_moves"),
    "matches": ("", "?status=active", "?player=me"),
    "players-matches": ("", "?status=active", "?result=lost", "?q=a"),
    "players-stats": ("", "?players=2"),
}
_CARDS: Final = ("2r", "5o", "9y", "Tg", "J")


def send_all(requests: Requests) -> dict[str, Answer]:
    """Send all requests."""
    return {name: ask() for name, ask in requests.items()}


def requests_of_pair(requests: Requests, pair: int) -> Requests:
    """Return the part of the requests that this pair sends."""
    return {
        name: ask
        for at, (name, ask) in enumerate(requests.items())
        if (at + pair) % PAIRS_PER_FULL_COVERAGE == 0
    }


def _ask(viewer: HttpPlayer, method: str, path: str, body: Any = None, **headers: str) -> Answer:
    return Answer.of(viewer.request(method, path, body, **headers))


def _paths(viewer: HttpPlayer, method: str, *, of_the_match: bool) -> Mapping[str, list[str]]:
    """Return the paths that allow a method, with their parameters filled in, by route name."""
    parts = {**_PARTS, "match_id": viewer.match_id, "username": viewer.username}
    queries = _QUERIES if method == "GET" else {}
    return {
        name: [address.format(**parts) + query for query in queries.get(name, ("",))]
        for name, address in addresses(method).items()
        if ("{match_id}" in address) == of_the_match
    }


def table(viewer: HttpPlayer) -> Requests:
    """Return a GET request for every path of the match."""
    paths = _paths(viewer, "GET", of_the_match=True)
    requests: dict[str, Request] = {
        path: partial(_ask, viewer, "GET", path) for each in paths.values() for path in each
    }
    record = f"matches/{viewer.match_id}/record"
    return requests | {"the record as text": partial(_ask, viewer, "GET", record, Accept="text/plain")}


def other_paths(viewer: HttpPlayer) -> Requests:
    """Return a GET request for every other path."""
    paths = _paths(viewer, "GET", of_the_match=False)
    return {path: partial(_ask, viewer, "GET", path) for each in paths.values() for path in each}


def refusals(viewer: HttpPlayer, version: int) -> Requests:
    """Return requests with an empty body for every action, and plays of cards that may not be in the hand.

    Some of them have an effect, which the caller has to roll back.
    """
    requests: dict[str, Request] = {
        f"{method} {path}": partial(_ask, viewer, method, path, {})
        for method in METHODS[1:]
        for name, paths in _paths(viewer, method, of_the_match=True).items()
        if name != _REVEALS_CARDS
        for path in paths
    }
    address = f"matches/{viewer.match_id}/moves"
    own = _own_cards(viewer)
    for card in _CARDS:
        requests[f"check {card}"] = partial(_ask, viewer, "POST", f"{address}/check", {"cards": [card]})
        for number in (version - 1,) if card in own else (version - 1, version):
            body = {"version": number, "type": "play", "cards": [card]}
            requests[f"play {card} {number}"] = partial(_ask, viewer, "POST", address, body)
    return requests


def _own_cards(viewer: HttpPlayer) -> set[str]:
    seats = viewer.table()["round"]
    return set() if seats is None else {card for hand in seats["hands"] for card in hand["cards"] or []}


def streams(viewer: HttpPlayer) -> Requests:
    """Return requests for the beginning of each stream, in both media types."""
    return {
        f"{path} as {form}": partial(_listen, viewer, path, form)
        for path in (f"matches/{viewer.match_id}/events", "me/events")
        for form in ("text/event-stream", "application/x-ndjson")
    }


def _listen(viewer: HttpPlayer, path: str, form: str) -> Answer:
    headers = {"Authorization": f"Bearer {viewer.token}", "Accept": form}
    request = RequestFactory().get(f"/api/v1/{path}", headers=headers)
    request.META[LONG_POLL_KEY] = LongPollContext(ConnectionSlots())  # as the server for streams adds it
    found = resolve(request.path)
    response: Any = found.func(request, *found.args, **found.kwargs)
    return Answer.of(response, response.stream_request.first_frame)


def pages(operator: Client, viewer: HttpPlayer) -> Requests:
    """Return requests for the admin pages of the match, without revealing cards, and for its web page."""
    match_id = viewer.match_id
    paths = (
        "/admin/",
        "/admin/games/match/",
        f"/admin/games/match/?q={match_id}",
        f"/admin/games/match/{match_id}/change/",
        "/admin/games/player/",
        f"/admin/games/player/{viewer.player.pk}/change/",
        f"/matches/{match_id}",
    )
    return {path: partial(_look, operator, path) for path in paths}


def _look(operator: Client, path: str) -> Answer:
    return Answer.of(operator.get(path))


RequestSource = Callable[[HttpPlayer], Requests]
MATCH_SOURCES: Final[tuple[RequestSource, ...]] = (table, streams)
OTHER_SOURCES: Final[tuple[RequestSource, ...]] = (other_paths,)
