from datetime import datetime, timedelta
from time import sleep
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from games.ai.services import take_turn
from games.core.times import format_time
from games.identity.models import Player
from games.matches.commit import commit_event
from games.matches.models.match import Match, Seat
from games.matches.queries import render_table
from games.matches.store import read_match
from games.matches.timing import STANDING_ORDER_SECONDS
from games.play import services as play_services
from games.play.resignation import resign
from games.play.services import act, set_standing_order
from games.records.verification import verify_matches
from tests.support.factories import (
    TURN,
    JsonObject,
    last_entry,
    make_overdue,
    make_player,
    play_turn,
    raises_problem,
    reload_match,
    seat_to_act,
    start_match,
    start_timed_match,
)

pytestmark = pytest.mark.usefixtures("database")


def is_in(seconds: float, moment: datetime | None) -> bool:
    """Return whether a moment is this many seconds from now, allowing for slow tests."""
    assert moment is not None
    return seconds - 30 < (moment - timezone.now()).total_seconds() <= seconds


def test_first_turn_has_its_full_time_and_the_log_contains_the_deadline() -> None:
    match = start_timed_match()
    assert is_in(TURN, match.deadline)
    assert last_entry(match)["next"]["deadline"] == format_time(match.deadline)


def test_table_shows_the_deadline_and_the_seconds_left() -> None:
    match = start_timed_match(heather := make_player(), make_player())
    shown: JsonObject = render_table(read_match(match.pk, heather), heather)
    assert shown["round"]["deadline"] == format_time(match.deadline)
    assert TURN - 30 < shown["round"]["seconds_left"] <= TURN


def test_each_turn_has_its_own_deadline() -> None:
    match = start_timed_match()
    before = match.deadline
    answer = play_turn(match)
    after = reload_match(match).deadline
    assert before is not None
    assert after is not None
    assert after > before
    assert answer["match"]["round"]["deadline"] == answer["move"]["next"]["deadline"] == format_time(after)


def test_match_without_a_clock_has_no_deadline() -> None:
    match = start_match(make_player(), make_player())
    assert (match.deadline, match.remind_at) == (None, None)
    assert play_turn(match)["match"]["round"]["seconds_left"] is None


def test_ai_turn_has_no_deadline_but_the_following_human_turn_has() -> None:
    match = start_timed_match("easy", "easy", make_player())
    while (match := reload_match(match)).to_act != 2:
        assert (match.deadline, match.remind_at) == (None, None)
        assert last_entry(match)["next"]["deadline"] is None
        assert take_turn(match_id=match.pk, version=match.version)
    assert is_in(TURN, match.deadline)


def test_bet_does_not_change_the_deadline() -> None:
    people = make_player(), make_player()
    match = start_timed_match(*people, time_bank_seconds=60)
    for player in people:
        body: JsonObject = {"version": reload_match(match).version, "type": "bet", "amount": 15}
        answer = act(match_id=match.pk, player=player, body=body)
        assert answer["move"]["next"]["deadline"] == format_time(match.deadline)
        assert reload_match(match).deadline == match.deadline
        assert {seat["time_bank_left"] for seat in answer["match"]["seats"]} == {60}


def test_resignation_out_of_turn_does_not_change_the_deadline() -> None:
    people = [make_player() for _ in range(3)]
    match = start_timed_match(*people)
    resign(match_id=match.pk, player=people[(match.to_act or 0) - 1])
    assert reload_match(match).deadline == match.deadline
    resigned = seat_to_act(match).player
    assert resigned is not None
    verify_matches()


def test_resignation_in_turn_removes_the_deadline() -> None:
    people = [make_player() for _ in range(3)]
    match = start_timed_match(*people)
    resign(match_id=match.pk, player=people[match.to_act or 0])
    assert reload_match(match).deadline is None
    verify_matches()


def test_move_after_the_deadline_is_rejected_before_the_sweep_has_run() -> None:
    match = start_timed_match()
    make_overdue(match)
    with raises_problem("deadline_passed"):
        play_turn(match)
    assert reload_match(match).version == match.version


def test_bet_out_of_turn_is_accepted_while_another_turn_is_overdue() -> None:
    people = make_player(), make_player()
    match = start_timed_match(*people)
    make_overdue(match)
    body: JsonObject = {"version": match.version, "type": "bet", "amount": 15}
    with raises_problem("deadline_passed"):
        act(match_id=match.pk, player=people[match.to_act or 0], body=body)
    assert act(match_id=match.pk, player=people[1 - (match.to_act or 0)], body=body)["move"]["type"] == "bet"


def test_move_is_rejected_if_the_deadline_passes_before_the_commit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = start_timed_match()

    def late(*event: Any, **parts: Any) -> bool:
        make_overdue(match)
        return commit_event(*event, **parts)

    monkeypatch.setattr(play_services, "commit_event", late)
    with raises_problem("deadline_passed"):
        play_turn(match)


def test_time_bank_is_part_of_the_deadline_and_starts_full() -> None:
    match = start_timed_match(time_bank_seconds=600)
    assert is_in(TURN + 600, match.deadline)
    assert set(Seat.objects.filter(match=match).values_list("time_bank_left", flat=True)) == {600}


def test_turn_within_its_time_does_not_use_the_time_bank() -> None:
    match = start_timed_match(time_bank_seconds=600)
    answer = play_turn(match)
    assert [seat["time_bank_left"] for seat in answer["match"]["seats"]] == [600, 600]


def test_overtime_is_deducted_from_the_time_bank_in_whole_seconds() -> None:
    match = start_timed_match(turn_seconds=1, time_bank_seconds=60)
    late = match.to_act or 0
    sleep(1.3)
    answer = play_turn(match)
    left = answer["match"]["seats"][late]["time_bank_left"]
    assert 30 < left < 60
    assert Seat.objects.get(match=match, number=late).time_bank_left == left
    assert is_in(1 + 60, reload_match(match).deadline)
    verify_matches()


def test_reminder_is_due_when_a_quarter_of_the_turn_is_left_without_the_time_bank() -> None:
    match = start_timed_match(turn_seconds=4 * 3600, time_bank_seconds=600)
    assert match.remind_at is not None
    assert match.deadline is not None
    assert match.deadline - match.remind_at == timedelta(hours=1, seconds=600)


def test_short_turn_has_no_reminder() -> None:
    assert start_timed_match(turn_seconds=120).remind_at is None


def leader_and_follower(match: Match) -> tuple[Player, Player]:
    people = [seat.player for seat in Seat.objects.filter(match=match).order_by("number")]
    first = match.to_act or 0
    leader, other = people[first], people[1 - first]
    assert leader is not None
    assert other is not None
    return leader, other


@pytest.mark.parametrize(("turn", "latest"), ((TURN, STANDING_ORDER_SECONDS[1]), (10, 7.0), (5, 2.0)))
def test_standing_order_is_executed_before_the_deadline(turn: int, latest: float) -> None:
    match = start_timed_match(turn_seconds=turn)
    _, other = leader_and_follower(match)
    set_standing_order(match_id=match.pk, player=other)
    play_turn(match)
    match = reload_match(match)
    assert match.wake_at is not None
    assert match.deadline is not None
    waits = (match.wake_at - (match.deadline - timedelta(seconds=turn))).total_seconds()
    assert 0 <= waits <= latest + 0.01


def test_standing_order_set_at_the_last_moment_is_executed_immediately() -> None:
    match = start_timed_match()
    _, other = leader_and_follower(match)
    play_turn(match)
    Match.objects.filter(pk=match.pk).update(deadline=timezone.now() + timedelta(seconds=2))
    set_standing_order(match_id=match.pk, player=other)
    wake_at = reload_match(match).wake_at
    assert wake_at is not None
    assert wake_at <= timezone.now() + timedelta(seconds=0.5)


def test_match_of_ais_has_no_deadlines(settings: Settings) -> None:
    match = start_timed_match("easy", "easy", rounds=1, time_bank_seconds=60)
    while (match := reload_match(match)).status == "active":
        assert match.deadline is None
        assert take_turn(match_id=match.pk, version=match.version)
    verify_matches()
