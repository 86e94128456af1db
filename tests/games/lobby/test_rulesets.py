import pytest

from games.gateway.agreement import rule_set_keys
from tests.support.clients import ROOT, anonymous_client, client_of, code, field_errors
from tests.support.factories import make_player

pytestmark = pytest.mark.usefixtures("database")


def test_rule_sets_are_listed_with_options_scoring_and_rulings() -> None:
    page = anonymous_client().get(f"{ROOT}/rulesets").json()
    assert [each["key"] for each in page["results"]] == rule_set_keys()
    assert (page["next"], page["previous"]) == (None, None)
    for each in page["results"]:
        assert each.keys() >= {"key", "title", "players", "bets", "scoring", "options", "rulings", "version"}
        assert anonymous_client().get(f"{ROOT}/rulesets/{each['key']}").json() == each


def test_rule_sets_are_paginated() -> None:
    first = anonymous_client().get(f"{ROOT}/rulesets?limit=3").json()
    second = anonymous_client().get(first["next"]).json()
    keys = [each["key"] for each in first["results"] + second["results"]]
    assert (len(first["results"]), keys) == (3, rule_set_keys())
    assert (first["previous"], second["next"]) == (None, None)
    assert anonymous_client().get(second["previous"]).json()["results"] == first["results"]


@pytest.mark.parametrize("asked", ("limit=0", "limit=101", "limit=x", "cursor=zz", "cursor=WzAsOTksMF0"))
def test_invalid_page_parameters_are_refused(asked: str) -> None:
    response = anonymous_client().get(f"{ROOT}/rulesets?{asked}")
    assert (response.status_code, code(response)) == (400, "invalid_parameter")


def test_a_rule_set_that_does_not_exist_is_not_found() -> None:
    assert code(anonymous_client().get(f"{ROOT}/rulesets/whist")) == "not_found"


@pytest.mark.parametrize("path", ("rulesets", "rulesets/deluxe"))
def test_a_matching_etag_returns_304(path: str) -> None:
    client = anonymous_client()
    tag = client.get(f"{ROOT}/{path}")["ETag"]
    again = client.get(f"{ROOT}/{path}", headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    assert client.get(f"{ROOT}/{path}", headers={"If-None-Match": 'W/"other"'}).status_code == 200
    somebody = client_of(make_player())
    assert somebody.get(f"{ROOT}/{path}")["ETag"] != tag


def test_readings_of_cards_need_no_match() -> None:
    body = {"players": 2, "cards": ["8y", "8g", "J"]}
    response = anonymous_client().post(f"{ROOT}/rulesets/classic/readings", body)
    assert response.status_code == 200
    assert response.json()["playable"] is True
    (reading,) = response.json()["readings"]
    assert reading["combination"]["text"] == "three eights"
    assert reading["wilds"] == {"J": "8"}


def test_readings_can_be_filtered_by_combination() -> None:
    cards = {"players": 3, "cards": ["5r", "6r", "J"]}
    every = anonymous_client().post(f"{ROOT}/rulesets/classic/readings", cards).json()["readings"]
    runs = (
        anonymous_client()
        .post(f"{ROOT}/rulesets/classic/readings", {**cards, "as": {"kind": "run", "top": 7}})
        .json()
    )
    assert {reading["combination"]["top"] for reading in every} == {6, 7}
    assert [reading["combination"]["top"] for reading in runs["readings"]] == [7]


def test_cards_that_form_no_combination_have_no_reading() -> None:
    response = anonymous_client().post(
        f"{ROOT}/rulesets/classic/readings", {"players": 2, "cards": ["2r", "9g"]}
    )
    assert response.json() == {"playable": False, "readings": []}


@pytest.mark.parametrize(
    ("key", "body", "error"),
    (
        ("classic", {"players": 2, "cards": ["7b"]}, ("/cards/0", "unknown_card")),
        ("classic", {"players": 2, "cards": ["7r", "7x"]}, ("/cards/1", "unknown_card")),
        ("classic", {"players": 2, "cards": ["10r"]}, ("/cards/0", "unknown_card")),
        ("classic", {"players": 2, "cards": [""]}, ("/cards/0", "unknown_card")),
        ("classic", {"players": 4, "cards": ["7r"]}, ("/players", "too_large")),
        ("haggish", {"players": 3, "cards": ["7r"]}, ("/players", "unknown_value")),
        ("classic", {"players": 2, "cards": []}, ("/cards", "too_short")),
        ("classic", {"players": 2, "cards": ["7r"], "as": {"kind": "flush"}}, ("/as/kind", "unknown_value")),
    ),
)
def test_invalid_cards_are_refused(key: str, body: dict[str, object], error: tuple[str, str]) -> None:
    assert field_errors(anonymous_client().post(f"{ROOT}/rulesets/{key}/readings", body)) == {error}


def test_an_earlier_version_of_a_rule_set_can_be_read() -> None:
    now = anonymous_client().get(f"{ROOT}/rulesets/booklet").json()
    earlier = anonymous_client().get(f"{ROOT}/rulesets/booklet?version=1").json()
    assert (now["version"], now["combinations"]["face_cards"]) == ("2", "wild_only")
    assert (earlier["version"], earlier["combinations"]["face_cards"]) == ("1", "wild_or_own_rank")
    assert code(anonymous_client().get(f"{ROOT}/rulesets/booklet?version=9")) == "not_found"


def test_readings_depend_on_the_rule_set() -> None:
    body = {"players": 2, "cards": ["9r", "Tr", "J"]}
    tops = {
        key: [
            reading["combination"]["top"]
            for reading in anonymous_client().post(f"{ROOT}/rulesets/{key}/readings", body).json()["readings"]
        ]
        for key in ("classic", "booklet")
    }
    assert tops == {"classic": [10, 11], "booklet": [10]}
