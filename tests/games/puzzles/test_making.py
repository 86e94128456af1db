"""Making puzzles: the command, its determinism, and which matches it reads."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.core.errors import Problem
from games.gateway.puzzles import judge_answer, puzzle_table
from games.matches.models.match import Match, MatchStatus, Visibility
from games.puzzles.making import Making, match_decisions
from games.puzzles.models import Puzzle, PuzzleSource
from games.puzzles.services import load_shipped_puzzles, shipped_puzzles
from tests.support.factories import make_player, play_ai_turns, start_match

TINY = Making(number=1, seed="1", simulations=50, rulesets=("classic",))


def make_puzzles(*arguments: str, into: Path) -> str:
    call_command(
        "make_puzzles",
        "1",
        "--simulations=50",
        "--players=2",
        "--ruleset=classic",
        f"--output={into}",
        *arguments,
        stdout=StringIO(),
        stderr=StringIO(),
    )
    return into.read_text(encoding="utf-8")


def test_the_same_seed_makes_the_same_puzzle(tmp_path: Path) -> None:
    first, again = (make_puzzles("--seed=3", into=tmp_path / name) for name in ("a", "b"))
    assert first == again
    puzzle = json.loads(first)
    assert puzzle["players"] == 2
    assert puzzle["choices"][0]["cost"] == 0


def test_a_puzzle_of_self_play_is_stored_once(db: None) -> None:
    for expected in (1, 0):
        stdout = StringIO()
        call_command(
            "make_puzzles",
            "1",
            "--simulations=50",
            "--players=2",
            "--seed=3",
            "--ruleset=classic",
            stdout=stdout,
            stderr=StringIO(),
        )
        assert stdout.getvalue() == f"Stored {expected} new puzzles.\n"
    assert Puzzle.objects.filter(source=PuzzleSource.SELF_PLAY).count() == 1


def test_a_number_below_one_is_refused() -> None:
    with pytest.raises(CommandError):
        call_command("make_puzzles", "0")


def test_only_finished_public_matches_are_read(database: str) -> None:
    finished = play_ai_turns(start_match("easy", "random", rounds=1))
    running = start_match(make_player(), make_player())
    assert running.status == MatchStatus.ACTIVE
    for visibility in (Visibility.PRIVATE, Visibility.UNLISTED):
        hidden = play_ai_turns(start_match("easy", "random", rounds=1))
        Match.objects.filter(pk=hidden.pk).update(visibility=visibility)
    annulled = play_ai_turns(start_match("easy", "random", rounds=1))
    Match.objects.filter(pk=annulled.pk).update(result={**(annulled.result or {}), "reason": "annulled"})
    assert [key for key, _ in match_decisions(TINY)] == [f"{finished.pk}/1"]


def test_a_decision_of_a_match_is_what_its_seat_saw(database: str) -> None:
    match = play_ai_turns(start_match("easy", "random", rounds=1))
    ((_, views),) = match_decisions(TINY)
    assert len(views) == match.moves.filter(type__in=("play", "pass")).count()
    assert all(view.seat == view.to_act for view in views)


def test_puzzles_name_neither_the_match_nor_its_players(database: str) -> None:
    names = {field.name for field in Puzzle._meta.get_fields()}
    assert names == {
        "id",
        "ruleset",
        "players",
        "source",
        "document",
        "created_at",
        "daily_on",
        "answered",
        "solved",
        "answers",
    }
    members = set(shipped_puzzles()[0])
    assert not members & {"match", "seats", "names", "player"}


def test_shipped_puzzles_are_loaded_after_a_migration(database: str) -> None:
    Puzzle.objects.all().delete()
    load_shipped_puzzles("default")
    assert Puzzle.objects.filter(source=PuzzleSource.SHIPPED).count() == len(shipped_puzzles())
    Puzzle.objects.filter(pk=shipped_puzzles()[0]["id"]).update(answered=3)
    load_shipped_puzzles("default")
    assert Puzzle.objects.get(pk=shipped_puzzles()[0]["id"]).answered == 3


def test_every_shipped_puzzle_can_be_played_and_has_one_clear_best() -> None:
    for puzzle in shipped_puzzles():
        table = puzzle_table(puzzle)
        assert table.to_act == puzzle["seat"]
        assert not table.view(puzzle["seat"]).bets_open
        costs = [choice["cost"] for choice in puzzle["choices"]]
        assert costs == sorted(costs)
        assert len(costs) >= 4
        for choice in puzzle["choices"]:
            assert judge_answer(puzzle, choice["action"])["cost"] == choice["cost"]


def test_answers_to_a_puzzle_obey_the_rules() -> None:
    puzzle = shipped_puzzles()[0]
    with pytest.raises(Problem) as refused:
        judge_answer(puzzle, {"type": "award", "to": 0})
    assert refused.value.code == "award_invalid"
