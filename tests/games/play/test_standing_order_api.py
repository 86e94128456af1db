from tests.games.play.test_standing_orders import play_single, two_players
from tests.support.clients import anonymous_client, client_of, code, field_errors, make_person


def test_a_standing_order_is_visible_to_its_player_only_and_can_be_withdrawn(database: str) -> None:
    match, leader, other = two_players()
    play_single(match, leader)
    mine, theirs = client_of(other), client_of(leader)
    address = f"/api/v1/matches/{match.pk}/standing-order"
    table = f"/api/v1/matches/{match.pk}"
    theirs_before = theirs.get(table)
    given = mine.put(address)
    assert given.status_code == 200
    assert given.json()["you"]["standing_order"] is True
    assert mine.get(table).json()["you"]["standing_order"] is True
    theirs_after = theirs.get(table)
    assert theirs_after["ETag"] == theirs_before["ETag"]
    assert theirs_after.json() | {"now": ""} == theirs_before.json() | {"now": ""}
    taken_back = mine.delete(address)
    assert taken_back.status_code == 200
    assert taken_back.json()["you"]["standing_order"] is False


def test_a_standing_order_changes_the_etag_for_its_player(database: str) -> None:
    match, leader, other = two_players()
    play_single(match, leader)
    client, table = client_of(other), f"/api/v1/matches/{match.pk}"
    before = client.get(table)["ETag"]
    client.put(f"{table}/standing-order")
    assert client.get(table, headers={"If-None-Match": before}).status_code == 200


def test_standing_orders_are_refused_like_actions(database: str) -> None:
    match, leader, other = two_players()
    address = f"/api/v1/matches/{match.pk}/standing-order"
    assert code(anonymous_client().put(address)) == "not_authenticated"
    assert code(client_of(make_person()).put(address)) == "not_seated"
    assert code(client_of(leader).put(address)) == "must_lead"
    assert field_errors(client_of(other).put(address, {"until": 3})) == {("/until", "unknown_field")}
    assert code(client_of(other).put("/api/v1/matches/m_nothing/standing-order")) == "not_found"
