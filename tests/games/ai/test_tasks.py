from collections.abc import Callable

import pytest

from games.ai import tasks as ai_tasks
from games.ai.services import take_turn
from games.ai.tasks import take_turns
from games.matches.models.match import Match, MatchStatus
from tests.games.conftest import Message
from tests.support.factories import make_player, start_match


def now_at(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def test_a_match_of_ais_is_played_to_its_end_by_nudges_alone(
    committing_database: str, work_off: Callable[[], int]
) -> None:
    match = start_match("easy", "random", "easy", rounds=2)
    assert work_off() >= 1
    match = now_at(match)
    assert match.status == MatchStatus.FINISHED
    versions = list(match.moves.order_by("version").values_list("version", flat=True))
    assert versions == list(range(1, match.version + 1))


def test_a_task_leaves_the_others_their_turn_after_a_while(
    committing_database: str, take_messages: Callable[[], list[Message]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ai_tasks, "SECONDS_IN_A_ROW", 0)
    match = start_match("easy", "easy")
    [first] = take_messages()
    assert first.arguments == (match.pk, 1)
    take_turns(*first.arguments)
    [following] = take_messages()
    assert following.arguments == (match.pk, 2)


def test_a_task_takes_the_turns_that_follow_at_once_without_a_nudge_for_each(
    committing_database: str, take_messages: Callable[[], list[Message]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ai_tasks, "SECONDS_IN_A_ROW", 600)
    match = start_match("easy", "easy", rounds=1)
    take_messages()
    take_turns(match.pk, 1)
    assert take_messages() == []
    assert now_at(match).status == MatchStatus.FINISHED


def test_a_task_stops_where_it_is_a_players_turn(
    committing_database: str, take_messages: Callable[[], list[Message]]
) -> None:
    match = start_match(make_player(), "easy")
    while now_at(match).to_act == 1:
        take_turns(match.pk, now_at(match).version)
    version = now_at(match).version
    take_messages()
    take_turns(match.pk, version)
    assert now_at(match).version == version
    assert take_messages() == []


def test_a_task_that_comes_twice_does_nothing_the_second_time(
    committing_database: str, take_messages: Callable[[], list[Message]]
) -> None:
    match = start_match("easy", "easy")
    [message] = take_messages()
    assert take_turn(match_id=match.pk, version=1)
    take_messages()
    take_turns(*message.arguments)
    assert now_at(match).version == 2
    assert take_messages() == []


def test_a_message_that_comes_twice_does_not_have_a_turn_thought_about_twice(
    committing_database: str, take_messages: Callable[[], list[Message]]
) -> None:
    match = start_match("easy", "easy")
    [message] = take_messages()
    Match.objects.filter(pk=match.pk).update(attempts=1)  # by whoever had it first
    take_turns(*message.arguments)
    assert (now_at(match).version, now_at(match).attempts) == (1, 1)
    take_turns(match.pk, 1, 1)  # what the sweep sends when the first is dead
    assert now_at(match).version > 1


def test_a_message_whose_worker_was_lost_is_worked_off_by_the_next(
    committing_database: str, take_messages: Callable[[], list[Message]]
) -> None:
    match = start_match("easy", "easy")
    [message] = take_messages()
    Match.objects.filter(pk=match.pk).update(attempts=1)
    take_turns.push_request(delivery_info={"redelivered": True})  # type: ignore[call-arg]  # as Celery does
    try:
        take_turns(*message.arguments)
    finally:
        take_turns.pop_request()
    assert now_at(match).version > 1


def test_a_turn_that_fails_is_not_nudged_again_at_once(
    committing_database: str, take_messages: Callable[[], list[Message]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> None:
        return None

    match = start_match("easy", "easy")
    take_messages()
    monkeypatch.setattr(ai_tasks, "take_turn", fail)
    take_turns(match.pk, 1)
    assert take_messages() == []
