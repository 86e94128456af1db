"""What a viewer can be told of a match: every address that there is, streams, and what operators see.

Each way lists what can be asked, and asks nothing by itself. Whoever adds another way adds it to
`OF_THE_MATCH` or to `BESIDES`. Routes of the API add themselves.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from django.test import Client, RequestFactory
from django.urls import resolve

from games.api.long_polling import ConnectionSlots, LongPollContext
from tests.games.api.routes import METHODS, addresses
from tests.games.worlds.answers import Answer
from tests.support.clients import HttpPlayer

Asking = Callable[[], Answer]
Askings = Mapping[str, Asking]

# Of what is not of the match itself every pair of worlds asks a part, and so many pairs ask everything. The
# number has no factor in common with that of the sizes of tables, which take turns too.
PAIRS_TO_ASK_ALL: Final = 3

# What lays cards open by its own effect.
_OPENS_CARDS: Final = "resign"
_PARTS: Final = {
    "number": "1",
    "key": "classic",
    "token_id": "t_0",
    "webhook_id": "wh_0",
    "delivery_id": "msg_0",
    "device_id": "dv_0",
}
_QUERIES: Final = {
    "legal-moves": ("", "?expand=plays", "?kind=bomb"),
    "moves": ("", "?after=2"),
    "matches": ("", "?status=active", "?player=me"),
}
_CARDS: Final = ("2r", "5o", "9y", "Tg", "J")


def asked(askings: Askings) -> dict[str, Answer]:
    """Ask all of it."""
    return {name: ask() for name, ask in askings.items()}


def a_part(askings: Askings, pair: int) -> Askings:
    """What is this pair's to ask."""
    return {
        name: ask for at, (name, ask) in enumerate(askings.items()) if (at + pair) % PAIRS_TO_ASK_ALL == 0
    }


def _ask(viewer: HttpPlayer, method: str, path: str, body: Any = None, **headers: str) -> Answer:
    return Answer.of(viewer.request(method, path, body, **headers))


def _paths(viewer: HttpPlayer, method: str, *, of_the_match: bool) -> Mapping[str, list[str]]:
    """The addresses that take a method, filled in, by the names of their routes."""
    parts = {**_PARTS, "match_id": viewer.match_id, "username": viewer.player.username}
    queries = _QUERIES if method == "GET" else {}
    return {
        name: [address.format(**parts) + query for query in queries.get(name, ("",))]
        for name, address in addresses(method).items()
        if ("{match_id}" in address) == of_the_match
    }


def table(viewer: HttpPlayer) -> Askings:
    """Every address of the match that can be looked at."""
    paths = _paths(viewer, "GET", of_the_match=True)
    told: dict[str, Asking] = {
        path: partial(_ask, viewer, "GET", path) for each in paths.values() for path in each
    }
    record = f"matches/{viewer.match_id}/record"
    return told | {"the record as text": partial(_ask, viewer, "GET", record, Accept="text/plain")}


def elsewhere(viewer: HttpPlayer) -> Askings:
    """Every other address that can be looked at."""
    paths = _paths(viewer, "GET", of_the_match=False)
    return {path: partial(_ask, viewer, "GET", path) for each in paths.values() for path in each}


def refusals(viewer: HttpPlayer, version: int) -> Askings:
    """Everything tried with nothing, and plays of cards that may not be there.

    For the caller to take back: some of it has an effect.
    """
    told: dict[str, Asking] = {
        f"{method} {path}": partial(_ask, viewer, method, path, {})
        for method in METHODS[1:]
        for name, paths in _paths(viewer, method, of_the_match=True).items()
        if name != _OPENS_CARDS
        for path in paths
    }
    address = f"matches/{viewer.match_id}/moves"
    own = _own_cards(viewer)
    for card in _CARDS:
        told[f"check {card}"] = partial(_ask, viewer, "POST", f"{address}/check", {"cards": [card]})
        for number in (version - 1,) if card in own else (version - 1, version):
            body = {"version": number, "type": "play", "cards": [card]}
            told[f"play {card} {number}"] = partial(_ask, viewer, "POST", address, body)
    return told


def _own_cards(viewer: HttpPlayer) -> set[str]:
    seats = viewer.table()["round"]
    return set() if seats is None else {card for hand in seats["hands"] for card in hand["cards"] or []}


def streams(viewer: HttpPlayer) -> Askings:
    """How the streams begin, in both forms."""
    return {
        f"{path} as {form}": partial(_listen, viewer, path, form)
        for path in (f"matches/{viewer.match_id}/events", "me/events")
        for form in ("text/event-stream", "application/x-ndjson")
    }


def _listen(viewer: HttpPlayer, path: str, form: str) -> Answer:
    headers = {"Authorization": f"Bearer {viewer.token}", "Accept": form}
    request = RequestFactory().get(f"/api/v1/{path}", headers=headers)
    request.door = LongPollContext(ConnectionSlots())  # type: ignore[attr-defined]  # as the server for streams lends it
    found = resolve(request.path)
    response: Any = found.func(request, *found.args, **found.kwargs)
    return Answer.of(response, response.opening.first)


def pages(operator: Client, viewer: HttpPlayer) -> Askings:
    """What an operator sees of the match who does not ask for the cards, and the pages of the web."""
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


Way = Callable[[HttpPlayer], Askings]
OF_THE_MATCH: Final[tuple[Way, ...]] = (table, streams)
BESIDES: Final[tuple[Way, ...]] = (elsewhere,)
