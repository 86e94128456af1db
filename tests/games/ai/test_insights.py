from typing import Any

import pytest
from django.core.cache import cache
from pytest_django import Settings

from games.ai.analysis import analyse_next_chunk
from games.identity.models import Player
from games.matches.models.match import Match
from tests.support.clients import ROOT, anonymous_client, client_of, code, post_match
from tests.support.factories import make_player, play_ai_turns, start_match

AI = {"kind": "ai", "level": "medium"}


pytestmark = pytest.mark.usefixtures("fast_analysis")


@pytest.fixture
def player(db: None) -> Player:
    return make_player()


def get_hint(player: Player, table: Any) -> Any:
    return client_of(player).get(f"{ROOT}/matches/{table['id']}/hint")


@pytest.mark.parametrize("others", (1, 2))
def test_hint_is_a_legal_move(player: Player, others: int) -> None:
    seats = [{"kind": "me"}, *[AI] * others]
    table = post_match(client_of(player), hints=True, players=others + 1, seats=seats)
    match = play_ai_turns(Match.objects.get(pk=table["id"]))
    answer = get_hint(player, table)
    assert answer.status_code == 200
    move = answer.json()["move"]
    body = {name: value for name, value in move.items() if value is not None and name != "combination"}
    if move["combination"]:
        body["as"] = {name: move["combination"][name] for name in ("kind", "top", "width", "length")}
    made = client_of(player).post(f"{ROOT}/matches/{match.pk}/moves", {"version": match.version, **body})
    assert made.status_code == 201, made.content


def test_hint_is_the_same_for_the_same_table(player: Player) -> None:
    table = post_match(client_of(player), hints=True, seats=[{"kind": "me"}, AI])
    play_ai_turns(Match.objects.get(pk=table["id"]))
    assert get_hint(player, table).json() == get_hint(player, table).json()


def test_hints_of_one_player_are_limited(player: Player, settings: Settings) -> None:
    cache.clear()
    settings.HAGGIS_LIMITS = {"hints": (1, 86_400)}  # a window of a minute might end during the test
    table = post_match(client_of(player), hints=True, seats=[{"kind": "me"}, AI])
    play_ai_turns(Match.objects.get(pk=table["id"]))
    assert get_hint(player, table).status_code == 200
    answer = get_hint(player, table)
    assert (answer.status_code, code(answer)) == (429, "rate_limited")
    assert code(get_hint(make_player(), table)) == "not_seated"


def test_hints_are_rejected_if_the_match_has_none(player: Player) -> None:
    table = post_match(client_of(player), seats=[{"kind": "me"}, AI])
    answer = get_hint(player, table)
    assert (answer.status_code, code(answer)) == (403, "hints_not_allowed")


def test_hints_are_rejected_against_people(player: Player) -> None:
    table = post_match(client_of(player), hints=True, seats=[{"kind": "me"}, {"kind": "open"}])
    client_of(make_player()).post(f"{ROOT}/matches/{table['id']}/join", {})
    assert code(get_hint(player, table)) == "hints_not_allowed"


def test_hints_are_only_for_the_player_to_act(player: Player) -> None:
    table = post_match(client_of(player), hints=True, seats=[{"kind": "me"}, AI])
    assert code(get_hint(make_player(), table)) == "not_seated"
    match = Match.objects.get(pk=table["id"])
    if match.to_act == 0:
        match = play_ai_turns(Match.objects.get(pk=table["id"]))
        lead = client_of(player).get(f"{ROOT}/matches/{match.pk}/legal-moves").json()["combinations"][0]
        named = {name: lead["combination"][name] for name in ("kind", "top", "width", "length")}
        body = {"version": match.version, "type": "play", "cards": lead["cheapest"], "as": named}
        assert client_of(player).post(f"{ROOT}/matches/{match.pk}/moves", body).status_code == 201
    assert code(get_hint(player, table)) == "not_your_turn"


def finished_match() -> Match:
    return play_ai_turns(start_match("easy", "random", rounds=1))


def test_analysis_is_requested_completed_and_read_with_its_progress(player: Player) -> None:
    address = f"{ROOT}/matches/{finished_match().pk}/analysis"
    assert code(anonymous_client().get(address)) == "not_analysed"
    started = client_of(player).post(address, {})
    assert (started.status_code, started.json()["status"]) == (202, "running")
    while analyse_next_chunk():
        pass
    analysis = anonymous_client().get(address).json()
    assert (analysis["status"], analysis["done"]) == ("done", analysis["total"])
    [played_round] = analysis["rounds"]
    assert [point["version"] for point in played_round["curve"]] == [
        decision["version"] for decision in played_round["decisions"]
    ]


def test_unchanged_analysis_is_not_sent_again(player: Player) -> None:
    address = f"{ROOT}/matches/{finished_match().pk}/analysis"
    client_of(player).post(address, {})
    before = anonymous_client().get(address)
    assert anonymous_client().get(address, HTTP_IF_NONE_MATCH=before["ETag"]).status_code == 304
    assert analyse_next_chunk()
    assert anonymous_client().get(address, HTTP_IF_NONE_MATCH=before["ETag"]).status_code == 200
