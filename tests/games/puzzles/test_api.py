"""Puzzles over the API: positions, answers, refusals, the daily puzzle and the next one."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from games.core.secrets import Secret
from games.gateway.puzzles import PuzzleDocument
from games.privacy.services import delete_account
from games.puzzles.models import Puzzle, PuzzleAnswer
from tests.support.clients import anonymous_client, client_of, code, make_person

API = "/api/v1/puzzles"
JsonObject = Any


def documents() -> list[PuzzleDocument]:
    """Return the stored puzzles with their solutions, in the order of `GET /puzzles/next`."""
    return [puzzle.document.reveal() for puzzle in Puzzle.objects.order_by("pk")]


def read(client: APIClient, path: str) -> JsonObject:
    response = client.get(f"{API}/{path}")
    assert response.status_code == 200, response.json()
    return response.json()


def answer(client: APIClient, puzzle: PuzzleDocument, action: JsonObject) -> JsonObject:
    response = client.post(f"{API}/{puzzle['id']}/answer", action)
    assert response.status_code == 200, response.json()
    return response.json()


def best(puzzle: PuzzleDocument) -> JsonObject:
    return puzzle["choices"][0]["action"]


def worst(puzzle: PuzzleDocument) -> JsonObject:
    return puzzle["choices"][-1]["action"]


def test_a_puzzle_shows_the_round_as_its_seat_sees_it(database: str) -> None:
    for puzzle in documents()[:5]:
        shown = read(anonymous_client(), puzzle["id"])
        hands = shown["round"]["hands"]
        assert shown["round"]["to_act"] == shown["seat"] == puzzle["seat"]
        assert hands[shown["seat"]]["cards"]
        assert all(hand["cards"] is None for hand in hands if hand["seat"] != shown["seat"])
        assert shown["round"]["deadline"] is None
        assert shown.keys() == {
            "id",
            "ruleset",
            "ruleset_version",
            "options",
            "players",
            "round",
            "seat",
            "solved_by",
            "daily_on",
        }


def test_every_choice_of_a_puzzle_has_its_stored_cost(database: str) -> None:
    client = anonymous_client()
    puzzle = documents()[0]
    for choice in puzzle["choices"]:
        judged = answer(client, puzzle, choice["action"])
        assert judged["cost"] == choice["cost"]
        assert judged["best"] == (choice["cost"] == 0)
        assert judged["best_action"] == best(puzzle)


def test_the_line_begins_with_the_best_action_of_the_seat(database: str) -> None:
    for puzzle in documents()[:5]:
        judged = answer(anonymous_client(), puzzle, worst(puzzle))
        assert judged["line"][0]["seat"] == puzzle["seat"]
        assert judged["line"][0]["type"] == best(puzzle)["type"]
        assert judged["line"][0]["cards"] == best(puzzle).get("cards")
        assert all(other["cost"] > 0 for other in judged["alternatives"])


def test_illegal_answers_get_the_codes_of_the_table(database: str) -> None:
    client = anonymous_client()
    for puzzle in documents()[:5]:
        path = f"{API}/{puzzle['id']}/answer"
        others = puzzle["deal"]["haggis"]
        assert code(client.post(path, {"type": "play", "cards": others[:1]})) == "card_not_in_hand"
        assert code(client.post(path, {"type": "award", "to": 0})) == "award_invalid"
        assert code(client.post(path, {"type": "bet", "amount": 15})) in {"bet_closed", "bet_exists"}
        assert code(client.post(path, {"type": "fold"})) == "validation_error"
        if puzzle["theme"] == "lead":
            assert code(client.post(path, {"type": "pass"})) == "must_lead"


def test_a_version_is_an_unknown_member_of_an_answer(database: str) -> None:
    puzzle = documents()[0]
    refused = anonymous_client().post(f"{API}/{puzzle['id']}/answer", {**best(puzzle), "version": 1})
    assert code(refused) == "validation_error"


def test_check_and_legal_moves_agree_with_the_choices(database: str) -> None:
    client = anonymous_client()
    for puzzle in documents()[:5]:
        moves = read(client, f"{puzzle['id']}/legal-moves")
        passes = sum(choice["action"]["type"] == "pass" for choice in puzzle["choices"])
        assert moves["count"] == len(puzzle["choices"]) - passes
        assert moves["can_pass"] == bool(passes)
        cards = moves["combinations"][0]["cheapest"]
        checked = client.post(f"{API}/{puzzle['id']}/check", {"cards": cards}).json()
        assert checked["playable"]


def test_only_the_first_answer_of_a_player_counts_for_the_share(database: str) -> None:
    puzzle = documents()[0]
    anna, ben = (client_of(make_person(name)) for name in ("anna", "ben"))
    assert answer(anonymous_client(), puzzle, best(puzzle))["solved_by"] is None
    assert answer(anna, puzzle, worst(puzzle))["solved_by"] == 0
    assert answer(anna, puzzle, best(puzzle))["solved_by"] == 0
    assert answer(ben, puzzle, best(puzzle))["solved_by"] == 0.5
    assert read(anonymous_client(), puzzle["id"])["solved_by"] == 0.5


def test_next_skips_solved_puzzles_and_returns_wrongly_answered_ones_last(database: str) -> None:
    anna = client_of(make_person("anna"))
    first, second, *others = documents()
    answer(anna, first, best(first))
    answer(anna, second, worst(second))
    seen = [read(anna, "next")["id"]]
    for _ in others:
        seen.append(read(anna, f"next?after={seen[-1]}")["id"])
    assert set(seen[: len(others)]) == {puzzle["id"] for puzzle in others}
    assert read(anonymous_client(), "next")["id"] == first["id"]
    for puzzle in others:
        answer(anna, puzzle, best(puzzle))
    assert read(anna, "next")["id"] == second["id"]
    answer(anna, second, best(second))
    assert code(anna.get(f"{API}/next")) == "not_found"


def test_next_goes_through_all_puzzles_after_one_another(database: str) -> None:
    client, seen = anonymous_client(), [""]
    for _ in documents():
        seen.append(read(client, f"next?after={seen[-1]}" if seen[-1] else "next")["id"])
    assert seen[1:] == [puzzle["id"] for puzzle in documents()]
    assert read(client, f"next?after={seen[-1]}")["id"] == seen[1]


def at(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    monkeypatch.setattr(timezone, "now", lambda: moment)


def test_the_daily_puzzle_is_the_same_for_everybody_on_a_day(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = client_of(make_person("anna"))
    morning = datetime(2026, 12, 1, 0, 0, 1, tzinfo=UTC)
    at(monkeypatch, morning)
    daily = read(anonymous_client(), "daily")
    assert daily["daily_on"] == "2026-12-01"
    at(monkeypatch, morning + timedelta(hours=23, minutes=59))
    assert read(anna, "daily") == daily


def test_the_daily_puzzle_repeats_only_after_all_others(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    day, days = datetime(2026, 12, 1, 12, tzinfo=UTC), []
    for number in range(2 * len(documents())):
        at(monkeypatch, day + timedelta(days=number))
        days.append(read(anonymous_client(), "daily")["id"])
    half = len(documents())
    assert len(set(days[:half])) == half
    assert days[half:] == days[:half]


def test_unknown_and_repeated_parameters_are_refused(database: str) -> None:
    client = anonymous_client()
    for path in ("daily?x=1", "next?after=a&after=b", "next?limit=3", f"{documents()[0]['id']}?x=1"):
        assert code(client.get(f"{API}/{path}")) == "invalid_parameter"


def test_deleting_an_account_deletes_its_answers_and_leaves_the_counts(database: str) -> None:
    puzzle, anna = documents()[0], make_person("anna")
    answer(client_of(anna), puzzle, best(puzzle))
    delete_account(player=anna)
    assert not PuzzleAnswer.objects.exists()
    assert read(anonymous_client(), puzzle["id"])["solved_by"] == 1


def test_puzzles_that_differ_in_hidden_cards_look_alike(database: str) -> None:
    """Swap hidden cards between the other hands and the haggis: no response changes."""
    client = anonymous_client()
    for puzzle in documents()[:5]:
        before = responses(client, puzzle)
        Puzzle.objects.filter(pk=puzzle["id"]).update(document=swapped(puzzle))
        assert responses(client, puzzle) == before


def swapped(puzzle: PuzzleDocument) -> Any:
    """Return the puzzle with a hidden card of an opponent exchanged for one of the haggis."""
    played = {card for each in puzzle["actions"] for card in each.get("cards", [])}
    hands = [list(hand) for hand in puzzle["deal"]["hands"]]
    haggis = list(puzzle["deal"]["haggis"])
    other = next(
        seat for seat, hand in enumerate(hands) if seat != puzzle["seat"] and not set(hand) <= played
    )
    hidden = next(card for card in hands[other] if card not in played)
    hands[other][hands[other].index(hidden)], haggis[0] = haggis[0], hidden
    return Secret({**puzzle, "deal": {"hands": hands, "haggis": haggis}})


def responses(client: APIClient, puzzle: PuzzleDocument) -> list[Any]:
    path, hidden = (
        f"{API}/{puzzle['id']}",
        [*puzzle["deal"]["haggis"], *puzzle["deal"]["hands"][1 - puzzle["seat"] % 2]],
    )
    return [
        client.get(path).json(),
        client.get(f"{path}/legal-moves").json(),
        client.post(f"{path}/answer", best(puzzle)).json(),
        *(client.post(f"{path}/check", {"cards": [card]}).json() for card in hidden[:6]),
        *(client.post(f"{path}/answer", {"type": "play", "cards": [card]}).json() for card in hidden[:6]),
    ]
