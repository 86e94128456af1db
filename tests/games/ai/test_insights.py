from typing import Any

import pytest

from games.ai.analysis import analyse_next_chunk
from games.ai.services import take_turn
from games.identity.models import Player
from games.matches.models.match import Match, MatchStatus
from tests.support.clients import ROOT, client_of, code, make, nobody
from tests.support.factories import make_player, start_match

AI = {"kind": "ai", "level": "medium"}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little is thought of each decision: what is found does not matter here."""
    monkeypatch.setattr("engine.ai.analysis.SEARCHED", 8)
    monkeypatch.setattr("engine.ai.analysis.COMPARED", 4)


@pytest.fixture
def player(db: None) -> Player:
    return make_player()


def hint(player: Player, table: Any) -> Any:
    return client_of(player).get(f"{ROOT}/matches/{table['id']}/hint")


def on_turn(player: Player, table: Any) -> Match:
    """The match when the player is to act."""
    while (match := Match.objects.get(pk=table["id"])).to_act != 0:
        assert take_turn(match_id=match.pk, version=match.version)
    return match


@pytest.mark.parametrize("others", (1, 2))
def test_a_hint_is_a_move_that_may_be_made(player: Player, others: int) -> None:
    seats = [{"kind": "me"}, *[AI] * others]
    table = make(client_of(player), hints=True, players=others + 1, seats=seats)
    match = on_turn(player, table)
    answer = hint(player, table)
    assert answer.status_code == 200
    move = answer.json()["move"]
    said = {name: value for name, value in move.items() if value is not None and name != "combination"}
    if move["combination"]:
        said["as"] = {name: move["combination"][name] for name in ("kind", "top", "width", "length")}
    made = client_of(player).post(f"{ROOT}/matches/{match.pk}/moves", {"version": match.version, **said})
    assert made.status_code == 201, made.content


def test_the_same_table_gives_the_same_hint(player: Player) -> None:
    table = make(client_of(player), hints=True, seats=[{"kind": "me"}, AI])
    on_turn(player, table)
    assert hint(player, table).json() == hint(player, table).json()


def test_there_are_no_hints_where_none_were_agreed_on(player: Player) -> None:
    table = make(client_of(player), seats=[{"kind": "me"}, AI])
    answer = hint(player, table)
    assert (answer.status_code, code(answer)) == (403, "hints_not_allowed")


def test_there_are_no_hints_against_people(player: Player) -> None:
    table = make(client_of(player), hints=True, seats=[{"kind": "me"}, {"kind": "open"}])
    client_of(make_player()).post(f"{ROOT}/matches/{table['id']}/join", {})
    assert code(hint(player, table)) == "hints_not_allowed"


def test_only_the_seat_to_act_is_hinted(player: Player) -> None:
    table = make(client_of(player), hints=True, seats=[{"kind": "me"}, AI])
    assert code(hint(make_player(), table)) == "not_seated"
    match = Match.objects.get(pk=table["id"])
    if match.to_act == 0:
        match = on_turn(player, table)
        lead = client_of(player).get(f"{ROOT}/matches/{match.pk}/legal-moves").json()["combinations"][0]
        named = {name: lead["combination"][name] for name in ("kind", "top", "width", "length")}
        body = {"version": match.version, "type": "play", "cards": lead["cheapest"], "as": named}
        assert client_of(player).post(f"{ROOT}/matches/{match.pk}/moves", body).status_code == 201
    assert code(hint(player, table)) == "not_your_turn"


def finished() -> Match:
    match = start_match("easy", "random", rounds=1)
    while (match := Match.objects.get(pk=match.pk)).status == MatchStatus.ACTIVE:
        assert take_turn(match_id=match.pk, version=match.version)
    return match


def test_an_analysis_is_asked_for_made_and_read_with_its_progress(player: Player) -> None:
    address = f"{ROOT}/matches/{finished().pk}/analysis"
    assert code(nobody().get(address)) == "not_analysed"
    started = client_of(player).post(address, {})
    assert (started.status_code, started.json()["status"]) == (202, "running")
    while analyse_next_chunk():
        pass
    form = nobody().get(address).json()
    assert (form["status"], form["done"]) == ("done", form["total"])
    (each,) = form["rounds"]
    assert [point["version"] for point in each["curve"]] == [
        decision["version"] for decision in each["decisions"]
    ]


def test_an_analysis_is_not_sent_again_while_it_is_the_same(player: Player) -> None:
    address = f"{ROOT}/matches/{finished().pk}/analysis"
    client_of(player).post(address, {})
    before = nobody().get(address)
    assert nobody().get(address, HTTP_IF_NONE_MATCH=before["ETag"]).status_code == 304
    assert analyse_next_chunk()
    assert nobody().get(address, HTTP_IF_NONE_MATCH=before["ETag"]).status_code == 200
