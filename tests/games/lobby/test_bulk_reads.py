"""All matches of a player in one request: filters, included tables and legal moves, ETags and queries."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from games.identity.models import Player
from games.matches.models.match import Match
from tests.support.clients import ROOT, client_of, code, list_match_ids
from tests.support.factories import ME, JsonObject, ai, make_player, make_table

pytestmark = pytest.mark.usefixtures("database")

BULK = f"{ROOT}/me/matches?include=table,legal_moves&limit=200"
MOVING_TIMES = ("now", "seconds_left")


def mine_and_theirs(player: Player) -> tuple[JsonObject, JsonObject]:
    """Create a match in which it is the turn of the player, and one in which it is not."""
    tables = make_table(player, ME, ai()), make_table(player, ME, ai())
    for table in tables:
        if table is tables[0] and not table["you"]["to_act"]:
            return mine_and_theirs(player)
        if table is tables[1] and table["you"]["to_act"]:
            return mine_and_theirs(player)
    return tables


def without_times(document: Any) -> Any:
    """Return a document without the members that change with time alone."""
    if isinstance(document, dict):
        return {name: without_times(each) for name, each in document.items() if name not in MOVING_TIMES}
    return [without_times(each) for each in document] if isinstance(document, list) else document


def by_id(response: Any) -> dict[str, JsonObject]:
    assert response.status_code == 200, response.content
    return {match["id"]: match for match in response.json()["results"]}


def act(client: APIClient, match: JsonObject) -> JsonObject:
    """Play the first legal combination, or pass."""
    legal = match["legal_moves"]
    body: JsonObject = {"version": legal["version"], "type": "pass"}
    if legal["combinations"]:
        group = legal["combinations"][0]
        named = {name: group["combination"][name] for name in ("kind", "top", "width", "length")}
        body |= {"type": "play", "cards": group["cheapest"], "as": named}
    answer = client.post(f"{ROOT}/matches/{match['id']}/moves", body)
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_included_tables_and_legal_moves_equal_those_of_the_single_requests() -> None:
    player = make_player()
    client = client_of(player)
    mine, theirs = mine_and_theirs(player)
    waiting = make_table(player)
    shown = by_id(client.get(BULK))
    for table in (mine, theirs, waiting):
        single = client.get(f"{ROOT}/matches/{table['id']}").json()
        assert without_times(shown[table["id"]]["table"]) == without_times(single)
    assert shown[mine["id"]]["legal_moves"] == client.get(f"{ROOT}/matches/{mine['id']}/legal-moves").json()
    assert shown[mine["id"]]["legal_moves"]["count"] > 0
    assert shown[theirs["id"]]["legal_moves"] is shown[waiting["id"]]["legal_moves"] is None


def test_a_bot_plays_with_what_a_bulk_read_includes() -> None:
    player = make_player()
    client = client_of(player)
    mine, _ = mine_and_theirs(player)
    answer = act(client, by_id(client.get(BULK))[mine["id"]])
    assert answer["match"]["version"] == mine["version"] + 1


def test_nothing_is_included_unless_it_is_asked_for() -> None:
    player = make_player()
    mine, _ = mine_and_theirs(player)
    client = client_of(player)
    plain = by_id(client.get(f"{ROOT}/me/matches"))[mine["id"]]
    assert not {"table", "legal_moves"} & plain.keys()
    tables = by_id(client.get(f"{ROOT}/me/matches?include=table"))[mine["id"]]
    assert tables.keys() - plain.keys() == {"table"}
    moves = by_id(client.get(f"{ROOT}/me/matches?include=legal_moves"))[mine["id"]]
    assert moves.keys() - plain.keys() == {"legal_moves"}


def test_matches_can_be_selected_by_turn_and_by_id() -> None:
    player = make_player()
    client = client_of(player)
    mine, theirs = mine_and_theirs(player)
    waiting, of_others = make_table(player), make_table(None, ME, ai())
    created = {table["id"] for table in (mine, theirs, waiting)}
    turns = set(list_match_ids(client, "me/matches", my_turn="true"))
    others = set(list_match_ids(client, "me/matches", my_turn="false"))
    assert mine["id"] in turns
    assert {theirs["id"], waiting["id"]} <= others
    assert not turns & others
    chosen = ",".join([theirs["id"], of_others["id"], mine["id"], "m_unknown"])
    assert set(list_match_ids(client, "me/matches", ids=chosen)) == created - {waiting["id"]}
    assert list_match_ids(client, "me/matches", ids=chosen, my_turn="true") == [mine["id"]]


@pytest.mark.parametrize(
    "query",
    ("my_turn=1", "ids=", "ids=a,,b", "include=cards", "include=table,table", "limit=201", "verbose=1"),
)
def test_invalid_parameters_are_rejected(query: str) -> None:
    answer = client_of(make_player()).get(f"{ROOT}/me/matches?{query}")
    assert (answer.status_code, code(answer)) == (400, "invalid_parameter")


def test_two_hundred_matches_fit_on_a_page() -> None:
    player = make_player()
    for _ in range(21):
        make_table(player)
    client = client_of(player)
    assert len(by_id(client.get(f"{ROOT}/me/matches?limit=200"))) == 21
    assert len(by_id(client.get(f"{ROOT}/me/matches"))) == 20


def test_an_unchanged_list_is_304_until_something_in_it_changes() -> None:
    player, rival = make_player(), make_player()
    client = client_of(player)
    mine, _ = mine_and_theirs(player)
    shared = make_table(player)
    client_of(rival).post(f"{ROOT}/matches/{shared['id']}/join", {})

    tag = client.get(BULK)["ETag"]

    def is_unchanged() -> bool:
        nonlocal tag
        answer = client.get(BULK, HTTP_IF_NONE_MATCH=tag)
        unchanged = answer.status_code == 304
        tag = answer["ETag"]
        return unchanged

    assert is_unchanged()
    act(client, by_id(client.get(BULK))[mine["id"]])
    assert not is_unchanged()
    assert is_unchanged()
    Player.objects.filter(pk=rival.pk).update(username="renamed")
    assert not is_unchanged()
    client_of(rival).post(f"{ROOT}/matches/{shared['id']}/resign", {})
    assert not is_unchanged()
    make_table(player)
    assert not is_unchanged()


def test_a_standing_order_changes_the_etag_of_its_player_only() -> None:
    anna, ben = make_player(), make_player()
    table = make_table(anna)
    client_of(ben).post(f"{ROOT}/matches/{table['id']}/join", {})
    clients = {player: client_of(player) for player in (anna, ben)}
    leader = next(p for p in clients if by_id(clients[p].get(BULK))[table["id"]]["my_turn"])
    other = ben if leader is anna else anna
    act(clients[leader], by_id(clients[leader].get(BULK))[table["id"]])
    tags = {player: clients[player].get(BULK)["ETag"] for player in clients}
    order = clients[leader].put(f"{ROOT}/matches/{table['id']}/standing-order", {})
    assert order.status_code == 200, order.content
    assert clients[leader].get(BULK, HTTP_IF_NONE_MATCH=tags[leader]).status_code == 200
    assert clients[other].get(BULK, HTTP_IF_NONE_MATCH=tags[other]).status_code == 304


def test_the_number_of_queries_does_not_depend_on_the_number_of_matches() -> None:
    player = make_player()
    client = client_of(player)
    counts, tags = [], []
    for more in (1, 24):
        for _ in range(more):
            make_table(player, ME, ai())
        client.get(BULK)
        with CaptureQueriesContext(
            connection,
        ) as full:
            tags.append(client.get(BULK)["ETag"])
        with CaptureQueriesContext(connection) as unchanged:
            assert client.get(BULK, HTTP_IF_NONE_MATCH=tags[-1]).status_code == 304
        counts.append((len(full), len(unchanged)))
    assert Match.objects.count() == 25
    assert counts[0] == counts[1]
    assert counts[0] == (4, 3)
