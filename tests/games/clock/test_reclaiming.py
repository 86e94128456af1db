import pytest

from games.ai.services import take_turn
from games.clock.timeouts import reclaim_seat
from games.core.times import format_time
from games.identity.models import Player
from games.matches.models.match import Match
from games.play.resignation import resign
from games.records.verification import verify_matches
from tests.support.factories import (
    TURN,
    JsonObject,
    last_entry,
    logged_events,
    make_player,
    play_turn,
    raises_problem,
    reload_match,
    start_timed_match,
    time_out,
)

pytestmark = pytest.mark.usefixtures("database")


def match_with_caretaker() -> tuple[Match, Player]:
    """Return a match in which a caretaker is to act, and the replaced player."""
    match = start_timed_match(*(people := (make_player(), make_player())), timeouts_allowed=0)
    time_out(match)
    return reload_match(match), people[match.to_act or 0]


def test_reclaimed_seat_belongs_to_its_player_and_the_turn_starts_again() -> None:
    match, player = match_with_caretaker()
    table: JsonObject = reclaim_seat(match_id=match.pk, player=player)
    seat = table["you"]["seat"]
    assert (table["seats"][seat]["state"], table["seats"][seat]["timeouts"]) == ("playing", 0)
    assert table["you"]["to_act"]
    assert TURN - 30 < table["round"]["seconds_left"] <= TURN
    entry = last_entry(match)
    assert (entry["type"], entry["seat"], entry["by"]) == ("reclaimed", seat, "player")
    assert entry["next"]["deadline"] == format_time(reload_match(match).deadline)
    assert reload_match(match).wake_at is None
    play_turn(match)
    verify_matches()


def test_seat_reclaimed_out_of_turn_does_not_change_the_current_turn() -> None:
    match, player = match_with_caretaker()
    while reload_match(match).to_act == match.to_act:  # the caretaker may bet first
        assert take_turn(match_id=match.pk, version=reload_match(match).version)
    deadline = reload_match(match).deadline
    table: JsonObject = reclaim_seat(match_id=match.pk, player=player)
    assert table["round"]["deadline"] == format_time(deadline)
    verify_matches()


def test_pending_turn_of_the_caretaker_is_discarded() -> None:
    match, player = match_with_caretaker()
    reclaim_seat(match_id=match.pk, player=player)
    assert not take_turn(match_id=match.pk, version=match.version)
    assert not take_turn(match_id=match.pk, version=match.version + 1)


def test_only_players_with_a_caretaker_can_reclaim_their_seat() -> None:
    match, player = match_with_caretaker()
    other = next(seat.player for seat in match.seats.all() if seat.player != player)
    assert other is not None
    with raises_problem("no_caretaker"):
        reclaim_seat(match_id=match.pk, player=other)
    with raises_problem("not_seated"):
        reclaim_seat(match_id=match.pk, player=make_player())
    reclaim_seat(match_id=match.pk, player=player)
    with raises_problem("no_caretaker"):
        reclaim_seat(match_id=match.pk, player=player)
    resign(match_id=match.pk, player=other)
    with raises_problem("match_not_active"):
        reclaim_seat(match_id=match.pk, player=player)


def test_timeouts_are_counted_from_zero_after_a_seat_is_reclaimed() -> None:
    match = start_timed_match(*(people := (make_player(), make_player())), timeouts_allowed=1)
    late = match.to_act or 0
    time_out(match)
    while reload_match(match).to_act != late:
        play_turn(match)
    assert time_out(match)["type"] == "caretaker"
    reclaim_seat(match_id=match.pk, player=people[late])
    assert time_out(match)["type"] != "caretaker"
    assert [event for event, seat, _ in logged_events(match) if seat == late and event == "caretaker"] == [
        "caretaker"
    ]
    verify_matches()
