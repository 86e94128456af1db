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
    fault,
    last_entry,
    make_overdue,
    make_player,
    now_at,
    play_on,
    with_clock,
)

pytestmark = pytest.mark.usefixtures("database")

DAY = timedelta(days=1)
WEEK = timedelta(days=7)


def in_turn(**agreed: object) -> tuple[Match, Player, Player]:
    """A match, who is to act, and the other."""
    match = with_clock(**agreed)
    people = [seat.player for seat in Seat.objects.filter(match=match).order_by("number")]
    first = match.to_act or 0
    mine, other = people[first], people[1 - first]
    assert mine is not None
    assert other is not None
    return match, mine, other


def left(match: Match) -> float:
    deadline = now_at(match).deadline
    assert deadline is not None
    return (deadline - timezone.now()).total_seconds()


def away(player: Player, length: timedelta = WEEK) -> datetime:
    until = timezone.now() + length
    go_on_vacation(player=player, until=until)
    return until


def test_a_turn_that_runs_ends_later_by_the_length_of_the_vacation() -> None:
    match, player, _ = in_turn()
    away(player)
    assert WEEK.total_seconds() + TURN - 30 < left(match) <= WEEK.total_seconds() + TURN
    entry = last_entry(match)
    assert (entry["type"], entry["seat"], entry["by"]) == ("extended", match.to_act, "player")
    assert entry["next"]["deadline"] == format_time(now_at(match).deadline)
    verify_matches()


def test_a_turn_that_comes_during_a_vacation_begins_when_it_is_over() -> None:
    match, _, other = in_turn()
    away(other)
    assert left(match) <= TURN
    play_on(match)
    assert WEEK.total_seconds() + TURN - 30 < left(match) <= WEEK.total_seconds() + TURN
    verify_matches()


def test_whoever_comes_back_early_has_the_time_that_was_left() -> None:
    match, player, _ = in_turn()
    before = match.deadline
    away(player)
    end_vacation(player=player)
    after = now_at(match).deadline
    assert before is not None
    assert after is not None
    assert timedelta() <= after - before < timedelta(seconds=30)
    version = now_at(match).version
    end_vacation(player=player)
    assert now_at(match).version == version
    verify_matches()


def test_a_vacation_is_seen_at_the_seat_and_changes_what_a_viewer_holds() -> None:
    match, _, other = in_turn()
    held = etag_inputs(read_match(match.pk, None), None)
    away(other)
    row = read_match(match.pk, None)
    other.refresh_from_db()
    seats = render_table(row, None)["seats"]
    assert [seat["vacation"] for seat in seats if seat["vacation"]] == [format_time(other.vacation_until)]
    assert etag_inputs(row, None) != held


def test_a_match_may_be_agreed_to_have_no_vacations() -> None:
    match, player, other = in_turn(vacations=False)
    away(player)
    away(other)
    assert now_at(match).version == match.version
    play_on(match)
    assert left(match) <= TURN


def test_a_vacation_has_its_days_and_a_day_that_has_begun_counts() -> None:
    player = make_player()
    form = go_on_vacation(player=player, until=timezone.now() + 2 * DAY + timedelta(hours=1))
    assert form["days_left"] == 27
    longer = go_on_vacation(player=player, until=timezone.now() + 10 * DAY - timedelta(hours=1))
    assert (longer["days_left"], longer["since"]) == (20, form["since"])
    end_vacation(player=player)
    assert go_on_vacation(player=player, until=timezone.now() + 29 * DAY)["days_left"] == 0
    with fault("/until", "too_large"):
        away(player, 31 * DAY)
    with fault("/until", "in_the_past"):
        away(player, -DAY)


def test_a_vacation_that_was_changed_moves_the_deadline_by_the_difference() -> None:
    match, player, _ = in_turn()
    away(player, WEEK)
    away(player, 2 * DAY)
    assert 2 * DAY.total_seconds() + TURN - 30 < left(match) <= 2 * DAY.total_seconds() + TURN
    verify_matches()


def test_nobody_is_late_on_vacation_however_it_came() -> None:
    match, player, _ = in_turn()
    until = timezone.now() + WEEK
    Player.objects.filter(pk=player.pk).update(vacation_until=until)  # as if the turn had just begun
    make_overdue(match)
    assert time_out_due_turns() == 1
    assert (last_entry(match)["type"], now_at(match).to_act) == ("extended", match.to_act)
    assert time_out_due_turns() == 0


def test_what_is_over_is_not_shown_any_more() -> None:
    player = make_player()
    away(player)
    assert clear_past_vacations() == 0
    Player.objects.filter(pk=player.pk).update(vacation_until=timezone.now())
    assert clear_past_vacations() == 1
    player.refresh_from_db()
    assert (player.vacation_since, player.vacation_until) == (None, None)
