"""Test the lessons themselves: their deals, and that each of them can be completed."""

from typing import Any, Final

import pytest

from games.gateway.positions import is_complete_deal
from games.gateway.views import round_to_json
from games.lessons.course import LESSONS, Lesson
from games.lessons.dealing import deal_around
from games.lessons.progress import start_of, take_turns
from tests.support.clients import ROOT, anonymous_client

# Topics in the order in which the course teaches them.
TOPICS: Final = [
    "singles",
    "sets",
    "runs",
    "stairs",
    "wild-cards",
    "bombs",
    "captures",
    "bets",
    "going-out",
    "practice",
]
every_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)


def play_through(key: str) -> list[dict[str, Any]]:
    """Play the solution of every step over HTTP; return the responses."""
    client = anonymous_client()
    position = client.get(f"{ROOT}/lessons/{key}").json()["position"]
    actions: list[dict[str, Any]] = []
    answers = []
    while not position["done"]:
        actions.append(position["solution"])
        response = client.post(f"{ROOT}/lessons/{key}/act", {"actions": actions}, format="json")
        assert response.status_code == 200, response.json()
        assert response.json()["accepted"]
        answers.append(response.json())
        position = answers[-1]["position"]
    return answers


def test_the_course_teaches_its_topics_in_order() -> None:
    assert [lesson.key for lesson in LESSONS] == TOPICS


@every_lesson
def test_every_lesson_is_a_complete_deal(lesson: Lesson) -> None:
    dealt, _ = deal_around(lesson.hands, lesson.leader)
    deal = dealt.deal.reveal()
    assert is_complete_deal(deal)
    cards = sorted(card for hand in [*deal["hands"], deal["haggis"]] for card in hand)
    assert len(cards) == len(set(cards)) == 9 * (len(lesson.hands) + 2)


@every_lesson
def test_a_lesson_starts_with_the_cards_that_it_names(lesson: Lesson) -> None:
    table = start_of(lesson.key).table
    led = {card for each in lesson.lead for card in each.action.get("cards", [])}
    for seat, hand in enumerate(lesson.hands):
        held = round_to_json(table.view(seat))["hands"][seat]["cards"]
        assert sorted(held or []) == sorted(set(hand.split()) - (led if seat == lesson.leader else set()))
    assert table.to_act == 0


@pytest.mark.usefixtures("db")
@every_lesson
def test_every_lesson_can_be_completed_over_http(lesson: Lesson) -> None:
    answers = play_through(lesson.key)
    assert answers[-1]["position"]["task"] is None
    if lesson.steps:
        assert len(answers) == len(lesson.steps)
        assert all(answer["comment"] for answer in answers)


@every_lesson
def test_the_learner_is_to_act_at_every_step(lesson: Lesson) -> None:
    progress = start_of(lesson.key)
    for step in lesson.steps:
        assert progress.table.to_act == 0
        progress = progress.after(take_turns(progress, step.solution) or [])


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(("key", "comment"), (("runs", "Here you can do better"), ("captures", "the bomb")))
def test_a_pass_instead_of_a_play_has_a_comment_about_passing(key: str, comment: str) -> None:
    path = f"{ROOT}/lessons/{key}/act"
    answer = anonymous_client().post(path, {"actions": [{"type": "pass"}]}, format="json").json()
    assert not answer["accepted"]
    assert answer["comment"].startswith("You may pass")
    assert comment in answer["comment"]


@pytest.mark.usefixtures("db")
def test_the_lesson_about_bombs_gives_the_bombed_tricks_to_the_opponent() -> None:
    entries = [move["move"] for answer in play_through("bombs") for move in answer["moves"]]
    ends = [event for entry in entries for event in entry["then"] if event["type"] == "trick_end"]
    assert ends == [{"type": "trick_end", "winner": 0, "captured_by": 1}] * 2


@pytest.mark.usefixtures("db")
def test_the_lesson_about_going_out_ends_with_the_score_that_it_explains() -> None:
    last = play_through("going-out")[-1]["moves"][-1]["move"]["then"]
    (scored,) = (event for event in last if event["type"] == "round_end")
    assert scored["out"] == [0]
    assert scored["scores"][0]["going_out"] == 25
    assert scored["scores"][0]["captured"] > 0


@pytest.mark.usefixtures("db")
def test_the_practice_round_is_won_when_the_ai_is_followed() -> None:
    answer = play_through("practice")[-1]
    last = answer["moves"][-1]["move"]
    assert answer["comment"] == str(LESSONS[-1].won)
    assert last["then"][-1]["type"] == "round_end"
    assert last["next"]["to_act"] is None
