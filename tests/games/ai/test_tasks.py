from collections.abc import Callable

import pytest

from games.ai import tasks as ai_tasks
from games.ai.services import take_claimed_turn, take_turn
from games.ai.tasks import take_turns, take_waiting_turns
from games.matches.models.match import Match, MatchStatus
from games.matches.turn_order import ClaimedTurn, claim_next_turn
from tests.games.conftest import Message
from tests.support.factories import make_player, reload_match, start_match


def test_match_of_ais_is_finished_by_dispatched_tasks_without_sweeps(
    committing_database: str, run_queued_tasks: Callable[[], int]
) -> None:
    match = start_match("easy", "random", "easy", rounds=2)
    assert run_queued_tasks() >= 1
    match = reload_match(match)
    assert match.status == MatchStatus.FINISHED
    versions = list(match.moves.order_by("version").values_list("version", flat=True))
    assert versions == list(range(1, match.version + 1))


def test_task_queues_the_next_turn_when_its_time_is_used_up(
    committing_database: str, take_messages: Callable[[], list[Message]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ai_tasks, "MAX_TASK_SECONDS", 0)
    match = start_match("easy", "easy")
    [first] = take_messages()
    assert first.arguments == (match.pk, 1)
    take_turns(*first.arguments)
    [following] = take_messages()
    assert following.arguments == (match.pk, 2)


def test_task_takes_consecutive_automatic_turns_without_further_messages(
    committing_database: str, take_messages: Callable[[], list[Message]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ai_tasks, "MAX_TASK_SECONDS", 600)
    match = start_match("easy", "easy", rounds=1)
    take_messages()
    take_turns(match.pk, 1)
    assert take_messages() == []
    assert reload_match(match).status == MatchStatus.FINISHED


def test_task_stops_at_the_turn_of_a_player(
    committing_database: str, take_messages: Callable[[], list[Message]]
) -> None:
    match = start_match(make_player(), "easy")
    while reload_match(match).to_act == 1:
        take_turns(match.pk, reload_match(match).version)
    version = reload_match(match).version
    take_messages()
    take_turns(match.pk, version)
    assert reload_match(match).version == version
    assert take_messages() == []


def test_task_takes_the_turn_that_is_the_next_in_order(
    committing_database: str, take_messages: Callable[[], list[Message]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message of a match between AIs takes the turn of a match with people."""
    monkeypatch.setattr(ai_tasks, "MAX_TASK_SECONDS", 0)
    between_ais, with_people = start_match("easy", "easy"), start_match("easy", make_player())
    while with_people.to_act != 0:
        with_people = start_match("easy", make_player())
    take_messages()
    take_turns(between_ais.pk, 1)
    assert (reload_match(between_ais).version, reload_match(with_people).version) == (1, 2)


def test_task_does_nothing_if_the_turn_has_been_taken(
    committing_database: str, take_messages: Callable[[], list[Message]]
) -> None:
    match = start_match("easy", "easy")
    [message] = take_messages()
    assert claim_next_turn() == ClaimedTurn(match.pk, 1)  # by another worker
    take_turns(*message.arguments)
    assert (reload_match(match).version, reload_match(match).attempts) == (1, 1)
    assert take_messages() == []


def test_claimed_turn_of_a_changed_match_is_not_taken(database: str) -> None:
    match = start_match("easy", "easy")
    turn = claim_next_turn()
    assert turn == ClaimedTurn(match.pk, 1)
    assert take_turn(match_id=match.pk, version=1)
    assert take_claimed_turn(turn) is None
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.PAUSED)
    assert take_claimed_turn(ClaimedTurn(match.pk, 2)) is None
    assert take_claimed_turn(ClaimedTurn("m_nothing", 2)) is None
    assert reload_match(match).version == 2


def test_failed_turn_is_not_dispatched_again_immediately(
    committing_database: str, take_messages: Callable[[], list[Message]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        return None

    match = start_match("easy", "easy")
    take_messages()
    monkeypatch.setattr(ai_tasks, "take_claimed_turn", fail)
    take_turns(match.pk, 1)
    assert take_messages() == []


def test_waiting_turns_are_taken_until_none_is_left(
    committing_database: str, take_messages: Callable[[], list[Message]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ai_tasks, "MAX_SWEEP_TASK_SECONDS", 600)
    matches = [start_match("easy", "easy", rounds=1) for _ in range(2)]
    take_messages()
    take_waiting_turns()
    assert {reload_match(match).status for match in matches} == {MatchStatus.FINISHED}
    assert take_messages() == []


def test_waiting_turns_are_dispatched_when_the_time_is_up(
    committing_database: str, take_messages: Callable[[], list[Message]], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter((0.0, 0.0, 1.0))
    monkeypatch.setattr(ai_tasks, "monotonic", lambda: next(clock))
    match = start_match("easy", "easy")
    take_messages()
    take_waiting_turns()
    assert [message.arguments for message in take_messages()] == [(match.pk, 2)]
