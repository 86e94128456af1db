from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games.clock.timeouts import time_out_due_turns
from games.clock.vacations import clear_past_vacations, end_vacation, go_on_vacation
from games.core.times import format_time
from games.identity.models import Player
from games.matches.models.match import Match, Seat
from games.matches.queries import render_table
from games.matches.store import read_match
from games.play.queries import etag_inputs
from games.records.verification import verify_matches
from tests.support.factories import (
    TURN,
    last_entry,
    make_overdue,
    make_player,
    play_turn,
    raises_field_error,
    reload_match,
    start_timed_match,
)

pytestmark = pytest.mark.usefixtures("database")

DAY = timedelta(days=1)
WEEK = timedelta(days=7)


def running_match(**options: object) -> tuple[Match, Player, Player]:
    """Return a match, the player to act and the other player."""
    match = start_timed_match(**options)
    people = [seat.player for seat in Seat.objects.filter(match=match).order_by("number")]
    first = match.to_act or 0
    player, other = people[first], people[1 - first]
    assert player is not None
    assert other is not None
    return match, player, other


def seconds_left(match: Match) -> float:
    deadline = reload_match(match).deadline
    assert deadline is not None
    return (deadline - timezone.now()).total_seconds()


def start_vacation(player: Player, length: timedelta = WEEK) -> datetime:
    until = timezone.now() + length
    go_on_vacation(player=player, until=until)
    return until


def test_running_turn_is_extended_by_the_length_of_the_vacation() -> None:
    match, player, _ = running_match()
    start_vacation(player)
    assert WEEK.total_seconds() + TURN - 30 < seconds_left(match) <= WEEK.total_seconds() + TURN
    entry = last_entry(match)
    assert (entry["type"], entry["seat"], entry["by"]) == ("extended", match.to_act, "player")
    assert entry["next"]["deadline"] == format_time(reload_match(match).deadline)
    verify_matches()


def test_time_of_a_turn_during_a_vacation_starts_when_the_vacation_ends() -> None:
    match, _, other = running_match()
    start_vacation(other)
    assert seconds_left(match) <= TURN
    play_turn(match)
    assert WEEK.total_seconds() + TURN - 30 < seconds_left(match) <= WEEK.total_seconds() + TURN
    verify_matches()


def test_ending_a_vacation_early_restores_the_remaining_time() -> None:
    match, player, _ = running_match()
    before = match.deadline
    start_vacation(player)
    end_vacation(player=player)
    after = reload_match(match).deadline
    assert before is not None
    assert after is not None
    assert timedelta() <= after - before < timedelta(seconds=30)
    version = reload_match(match).version
    end_vacation(player=player)
    assert reload_match(match).version == version
    verify_matches()


def test_vacation_is_shown_at_the_seat_and_changes_the_etag() -> None:
    match, _, other = running_match()
    etag_before = etag_inputs(read_match(match.pk, None), None)
    start_vacation(other)
    row = read_match(match.pk, None)
    other.refresh_from_db()
    seats = render_table(row, None)["seats"]
    assert [seat["vacation"] for seat in seats if seat["vacation"]] == [format_time(other.vacation_until)]
    assert etag_inputs(row, None) != etag_before


def test_vacation_has_no_effect_in_a_match_without_vacations() -> None:
    match, player, other = running_match(vacations=False)
    start_vacation(player)
    start_vacation(other)
    assert reload_match(match).version == match.version
    play_turn(match)
    assert seconds_left(match) <= TURN


def test_vacation_days_are_limited_and_a_started_day_counts() -> None:
    player = make_player()
    vacation = go_on_vacation(player=player, until=timezone.now() + 2 * DAY + timedelta(hours=1))
    assert vacation["days_left"] == 27
    longer = go_on_vacation(player=player, until=timezone.now() + 10 * DAY - timedelta(hours=1))
    assert (longer["days_left"], longer["since"]) == (20, vacation["since"])
    end_vacation(player=player)
    assert go_on_vacation(player=player, until=timezone.now() + 29 * DAY)["days_left"] == 0
    with raises_field_error("/until", "too_large"):
        start_vacation(player, 31 * DAY)
    with raises_field_error("/until", "in_the_past"):
        start_vacation(player, -DAY)


def test_changed_vacation_moves_the_deadline_by_the_difference() -> None:
    match, player, _ = running_match()
    start_vacation(player, WEEK)
    start_vacation(player, 2 * DAY)
    assert 2 * DAY.total_seconds() + TURN - 30 < seconds_left(match) <= 2 * DAY.total_seconds() + TURN
    verify_matches()


def test_turn_of_a_player_on_vacation_is_extended_and_not_timed_out() -> None:
    match, player, _ = running_match()
    until = timezone.now() + WEEK
    Player.objects.filter(pk=player.pk).update(vacation_until=until)  # as if the turn had just started
    make_overdue(match)
    assert time_out_due_turns() == 1
    assert (last_entry(match)["type"], reload_match(match).to_act) == ("extended", match.to_act)
    assert time_out_due_turns() == 0


def test_past_vacation_is_cleared() -> None:
    player = make_player()
    start_vacation(player)
    assert clear_past_vacations() == 0
    Player.objects.filter(pk=player.pk).update(vacation_until=timezone.now())
    assert clear_past_vacations() == 1
    player.refresh_from_db()
    assert (player.vacation_since, player.vacation_until) == (None, None)
