import pytest

from games.ai.services import take_turn
from games.clock.timeouts import time_out_due_turns, timeout_event
from games.core.times import format_time
from games.matches.commit import commit_events
from games.matches.models.match import Match, SeatState
from games.play.services import act, set_standing_order
from games.records.verification import verify_matches
from tests.support.factories import (
    JsonObject,
    last_entry,
    logged_events,
    make_overdue,
    make_player,
    play_turn,
    raises_problem,
    read_row,
    reload_match,
    seat_to_act,
    start_timed_match,
    time_out,
)

pytestmark = pytest.mark.usefixtures("database")


def test_timeout_of_the_leader_leads_the_lowest_single() -> None:
    match = start_timed_match()
    hand = read_row(match).table().view(match.to_act).hand
    entry = time_out(match)
    assert (entry["type"], entry["seat"], entry["by"]) == ("play", match.to_act, "clock")
    assert len(entry["cards"]) == 1
    assert hand is not None
    assert entry["combination"]["kind"] == "set"
    assert entry["next"]["deadline"] == format_time(reload_match(match).deadline)
    verify_matches()


def test_timeout_passes_if_passing_is_possible() -> None:
    match = start_timed_match()
    play_turn(match)
    assert time_out(match)["type"] == "pass"


def test_consecutive_timeouts_are_counted_until_the_player_acts() -> None:
    match = start_timed_match()
    late = match.to_act or 0
    time_out(match)
    assert [seat.timeouts for seat in match.seats.order_by("number")] == [1 - late, late]
    assert [seat["timeouts"] for seat in play_turn(match)["match"]["seats"]] == [1 - late, late]
    assert [seat["timeouts"] for seat in play_turn(match)["match"]["seats"]] == [0, 0]
    verify_matches()


def test_bet_resets_the_timeout_count() -> None:
    people = [make_player() for _ in range(3)]
    match = start_timed_match(*people)
    play_turn(match)
    late = reload_match(match).to_act or 0
    time_out(match)
    body: JsonObject = {"version": reload_match(match).version, "type": "bet", "amount": 15}
    answer = act(match_id=match.pk, player=people[late], body=body)
    assert [seat["timeouts"] for seat in answer["match"]["seats"]] == [0, 0, 0]
    verify_matches()


def test_used_up_time_bank_stays_empty() -> None:
    match = start_timed_match(time_bank_seconds=60)
    late = match.to_act or 0
    time_out(match)
    banks = [seat.time_bank_left for seat in match.seats.order_by("number")]
    assert (banks[late], banks[1 - late]) == (0, 60)
    verify_matches()


def use_up_allowed_timeouts(match: Match) -> int:
    """Let one seat time out as often as allowed while the other plays; return the seat."""
    late = match.to_act or 0
    for _ in range(match.timeouts_allowed):
        while reload_match(match).to_act != late:
            play_turn(match)
        assert time_out(match)["by"] == "clock"
        assert reload_match(match).round_number == 1
    while reload_match(match).to_act != late:
        play_turn(match)
    return late


@pytest.mark.parametrize("allowed", (0, 1, 3))
def test_caretaker_takes_over_after_too_many_timeouts(allowed: int) -> None:
    match = start_timed_match(timeouts_allowed=allowed)
    late = use_up_allowed_timeouts(match)
    entry = time_out(match)
    assert (entry["type"], entry["seat"], entry["by"], entry["then"]) == ("caretaker", late, "clock", [])
    match = reload_match(match)
    assert (match.to_act, match.deadline) == (late, None)
    assert match.wake_at is not None
    assert seat_to_act(match).state == SeatState.CARETAKER
    verify_matches()
    assert take_turn(match_id=match.pk, version=match.version)
    assert last_entry(match)["by"] == "caretaker"
    verify_matches()


def test_player_with_a_caretaker_cannot_act() -> None:
    match = start_timed_match(heather := make_player(), make_player(), timeouts_allowed=0)
    if match.to_act == 1:
        play_turn(match)
    time_out(match)
    with raises_problem("caretaker_playing"):
        act(match_id=match.pk, player=heather, body={"version": reload_match(match).version, "type": "pass"})


def test_opponent_wins_by_forfeit_in_a_match_of_two() -> None:
    match = start_timed_match(timeouts_allowed=0, after_timeouts="forfeit")
    late = match.to_act or 0
    entry = time_out(match)
    assert (entry["type"], entry["seat"], entry["by"]) == ("resigned", late, "clock")
    assert [each["type"] for each in entry["then"]] == ["round_end", "match_end"]
    match = reload_match(match)
    assert match.status == "finished"
    assert match.result == {"winners": [1 - late], "scores": [0, 0], "reason": "forfeit"}
    assert not match.seats.filter(live=True).exists()
    assert match.seats.get(number=late).state == SeatState.RESIGNED
    verify_matches()


def test_ai_plays_forfeited_seats_of_three_and_the_last_player_wins() -> None:
    match = start_timed_match(
        *[make_player() for _ in range(3)], timeouts_allowed=0, after_timeouts="forfeit"
    )
    first = match.to_act or 0
    time_out(match)
    assert seat_to_act(match).state == SeatState.RESIGNED
    assert reload_match(match).deadline is None
    while reload_match(match).to_act == first:  # the AI may bet first
        assert take_turn(match_id=match.pk, version=reload_match(match).version)
    second = reload_match(match).to_act
    time_out(match)
    [winner] = {0, 1, 2} - {first, second}
    assert reload_match(match).result == {"winners": [winner], "scores": [0, 0, 0], "reason": "forfeit"}
    verify_matches()


def test_timeout_awards_a_bombed_trick_to_the_opponent_with_the_fewest_points() -> None:
    match = start_timed_match(
        *[make_player() for _ in range(3)], rounds=100, options={"bomb_capture": "winner_chooses"}
    )
    for _ in range(3000):
        match = reload_match(match)
        if match.expects == "award":
            break
        play_turn(match, "easy")
    totals = read_row(match).totals
    others = [seat for seat in range(3) if seat != match.to_act]
    entry = time_out(match)
    assert (entry["type"], entry["to"]) == ("award", min(others, key=lambda seat: (totals[seat], seat)))
    verify_matches()


def test_clock_finishes_a_match_that_all_players_have_left() -> None:
    match = start_timed_match(rounds=1, timeouts_allowed=100)
    while reload_match(match).status == "active":
        time_out(match)
    assert {by for _, _, by in logged_events(match)[1:]} == {"clock"}
    verify_matches()


def test_outdated_timeout_event_is_not_committed() -> None:
    match = start_timed_match()
    make_overdue(match)
    event = timeout_event(read_row(match))
    assert time_out_due_turns() == 1
    assert commit_events([event]) == [False]
    assert reload_match(match).version == match.version + 1


def test_caretaker_takeover_removes_the_standing_order() -> None:
    people = [make_player() for _ in range(3)]
    match = start_timed_match(*people, timeouts_allowed=0)
    play_turn(match)
    late = reload_match(match).to_act or 0
    set_standing_order(match_id=match.pk, player=people[late])
    time_out(match)
    seat = seat_to_act(match)
    assert (seat.number, seat.state, seat.standing_trick) == (late, "caretaker", "")
