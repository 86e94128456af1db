"""Test the endpoints of the lessons."""

from dataclasses import replace
from typing import Any

import pytest
from django.utils.translation import gettext_lazy

from games.lessons import course, queries
from games.lessons.serializers import MAX_ACTIONS
from tests.support.clients import ROOT, anonymous_client, code, field_errors

pytestmark = pytest.mark.usefixtures("db")
FIVES = {"type": "play", "cards": ["5g", "5r"]}


def act(key: str, *actions: dict[str, Any]) -> Any:
    return anonymous_client().post(f"{ROOT}/lessons/{key}/act", {"actions": actions}, format="json")


def test_lessons_are_listed_with_the_number_of_their_steps() -> None:
    page = anonymous_client().get(f"{ROOT}/lessons").json()
    assert [each["steps"] for each in page["results"]] == [4, 3, 2, 2, 3, 3, 2, 2, 2, None]
    assert {each["players"] for each in page["results"]} == {2, 3}


def test_a_lesson_names_the_next_one() -> None:
    assert anonymous_client().get(f"{ROOT}/lessons/singles").json()["next"] == "sets"
    assert anonymous_client().get(f"{ROOT}/lessons/practice").json()["next"] is None


def test_a_lesson_starts_with_the_table_as_the_learner_sees_it() -> None:
    position = anonymous_client().get(f"{ROOT}/lessons/sets").json()["position"]
    table = position["match"]
    assert (position["step"], position["done"]) == (0, False)
    assert table["you"] | {"bets": []} == {
        "seat": 0,
        "to_act": True,
        "may_bet": False,
        "bets": [],
        "awards": [],
        "standing_order": False,
    }
    assert table["round"]["hands"][1]["cards"] is None
    assert [entry["cards"] for entry in table["round"]["trick"]] == [["4o", "4g"]]
    assert position["legal_moves"]["can_pass"]


def test_the_log_contains_the_round_from_its_deal_to_the_start_of_the_lesson() -> None:
    lesson = anonymous_client().get(f"{ROOT}/lessons/going-out").json()
    assert [entry["version"] for entry in lesson["log"]] == [*range(1, len(lesson["log"]) + 1)]
    assert lesson["log"][-1]["version"] == lesson["position"]["match"]["version"]
    assert [event["type"] for event in lesson["log"][0]["then"]] == ["deal"]
    assert {entry["type"] for entry in lesson["log"][1:]} == {"play", "pass"}


def test_the_solution_is_accepted_and_the_opponent_replies() -> None:
    answer = act("sets", FIVES).json()
    assert answer["accepted"]
    assert [(each["move"]["seat"], each["move"]["cards"]) for each in answer["moves"]] == [
        (0, ["5r", "5g"]),
        (1, ["9o", "9g"]),
    ]
    versions = [each["match"]["version"] for each in answer["moves"]]
    assert versions == [each["move"]["version"] for each in answer["moves"]]
    assert answer["position"]["match"]["version"] == versions[-1] == versions[0] + 1
    assert answer["position"]["step"] == 1


def test_a_legal_action_that_is_not_the_solution_gets_a_comment_and_changes_nothing() -> None:
    before = anonymous_client().get(f"{ROOT}/lessons/sets").json()["position"]
    for other in ({"type": "pass"}, {"type": "play", "cards": ["8o", "8y"]}):
        answer = act("sets", other).json()
        assert (answer["accepted"], answer["moves"]) == (False, [])
        assert answer["comment"]
        assert answer["position"]["match"]["version"] == before["match"]["version"]


@pytest.mark.parametrize(
    ("key", "cards", "expected", "rule"),
    (
        ("sets", "2o", "does_not_beat", "beat.same_size"),
        ("sets", "5r 8o", "not_a_combination", "set.one_rank"),
        ("sets", "9o", "card_not_in_hand", "play.own_cards"),
        ("runs", "3o 4o", "not_a_combination", "run.three_cards"),
        ("singles", "3y", "does_not_beat", "beat.higher_top"),
        ("bombs", "Q", "does_not_beat", "beat.same_size"),
    ),
)
def test_an_action_that_breaks_a_rule_is_refused_with_the_rule(
    key: str, cards: str, expected: str, rule: str
) -> None:
    response = act(key, {"type": "play", "cards": cards.split()})
    assert (code(response), response.json()["rule"]) == (expected, rule)


def test_passing_instead_of_leading_is_refused() -> None:
    assert code(act("going-out", {"type": "pass"})) == "must_lead"


def test_an_invalid_bet_is_refused() -> None:
    assert code(act("bets", {"type": "bet", "amount": 20})) == "bet_invalid"


def test_the_solution_with_another_reading_is_not_accepted() -> None:
    first = [
        {"type": "play", "cards": ["7r", "7g", "J"]},
        {"type": "play", "cards": ["3y", "4y", "6y", "Q"]},
    ]
    cards = {"type": "play", "cards": ["8o", "9o", "K"]}
    assert not act("wild-cards", *first, {**cards, "as": {"top": 9}}).json()["accepted"]
    assert act("wild-cards", *first, cards).json()["accepted"]


def test_readings_follow_the_accepted_actions() -> None:
    body = {"actions": [FIVES], "cards": ["Tr", "Ty"]}
    checked = anonymous_client().post(f"{ROOT}/lessons/sets/check", body, format="json").json()
    assert checked["playable"]
    assert [reading["combination"]["text"] for reading in checked["readings"]] == ["pair of tens"]


def test_the_texts_are_in_the_language_that_the_client_prefers(monkeypatch: pytest.MonkeyPatch) -> None:
    translated = replace(course.LESSONS[1], title=gettext_lazy("Bad request"))
    monkeypatch.setattr(queries, "LESSONS", [translated])
    listed = anonymous_client().get(f"{ROOT}/lessons", headers={"Accept-Language": "de"})
    assert listed.json()["results"][0]["title"] == "Ungültige Anfrage"
    assert "Accept-Language" in listed["Vary"]


def test_an_earlier_action_that_was_not_accepted_is_invalid() -> None:
    response = act("sets", {"type": "pass"}, FIVES)
    assert field_errors(response) == {("/actions/0", "unknown_value")}


def test_a_complete_lesson_takes_no_more_actions() -> None:
    done = [
        {"type": "play", "cards": ["5g", "6g", "7g"]},
        {"type": "play", "cards": ["3o", "4o", "5o", "6o"]},
    ]
    assert act("runs", *done).json()["position"]["done"]
    assert code(act("runs", *done, {"type": "play", "cards": ["9y"]})) == "match_not_active"


def test_practice_says_at_the_end_who_went_out_first() -> None:
    actions: list[dict[str, Any]] = []
    answer = anonymous_client().get(f"{ROOT}/lessons/practice").json()
    while not answer["position"]["done"]:  # the opponent goes out while the learner passes and leads singles
        position = answer["position"]
        card = position["match"]["round"]["hands"][0]["cards"][0]
        may_pass = position["legal_moves"]["can_pass"]
        actions.append({"type": "pass"} if may_pass else {"type": "play", "cards": [card]})
        answer = act("practice", *actions).json()
    assert answer["comment"] == course.LESSONS[-1].lost


def test_the_number_of_actions_is_limited() -> None:
    response = act("practice", *([{"type": "pass"}] * (MAX_ACTIONS + 1)))
    assert field_errors(response) == {("/actions", "too_long")}


def test_an_action_has_exactly_the_members_of_its_type() -> None:
    response = act("bets", {"type": "bet", "cards": ["2g"]})
    assert field_errors(response) == {
        ("/actions/0/amount", "required"),
        ("/actions/0/cards", "unknown_field"),
    }


def test_a_lesson_creates_no_rows(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        act("sets", FIVES)
