"""The clock acts independently of hidden cards: it acts the same in worlds that differ only in them."""

from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from games.clock.pauses import request_pause, request_resume
from games.clock.timeouts import reclaim_seat
from games.clock.vacations import go_on_vacation
from games.identity.models import Player
from games.matches.models.match import Match
from games.play.services import set_standing_order
from tests.games.worlds.pairs import redeal_hidden_cards
from tests.support.factories import (
    make_player,
    play_turn,
    read_row,
    reload_match,
    start_timed_match,
    time_out,
)

pytestmark = pytest.mark.usefixtures("database")

Observations = list[Any]


def observe(match: Match) -> Observations:
    """Return the log, the due times relative to now in half minutes, and the seats."""
    stored = reload_match(match)
    entries = [
        _without_moments(each) for each in match.moves.order_by("version").values_list("entry", flat=True)
    ]
    waits = [_half_minutes_until(each) for each in (stored.deadline, stored.remind_at, stored.wake_at)]
    seats = list(match.seats.order_by("number").values_list("state", "time_bank_left", "timeouts", "asks"))
    return [entries, waits, seats]


def _without_moments(entry: Any) -> Any:
    moments = {"at", "until", "turn_left_ms"}
    entry_without_times = {name: value for name, value in entry.items() if name not in moments}
    return entry_without_times | {
        "next": {**entry["next"], "deadline": entry["next"]["deadline"] is not None}
    }


def _half_minutes_until(moment: datetime | None) -> int | None:
    return None if moment is None else round((moment - timezone.now()) / timedelta(seconds=30))


def perform_clock_actions(match: Match, people: list[Player]) -> Observations:
    """Pause, take a vacation, time out and reclaim a seat; return what is observed, and roll back."""
    late = people[reload_match(match).to_act or 0]
    with transaction.atomic():
        request_pause(match_id=match.pk, player=people[0])
        request_pause(match_id=match.pk, player=people[1])
        for player in people:
            request_resume(match_id=match.pk, player=player)
        go_on_vacation(player=late, until=timezone.now() + timedelta(days=2))
        late.vacation_until = None
        late.save(update_fields=["vacation_until"])
        Match.objects.filter(pk=match.pk).update(deadline=timezone.now())
        time_out(match)  # passes: what it would lead would show a card
        time_out(match)
        reclaim_seat(match_id=match.pk, player=people[reload_match(match).to_act or 0])
        observations = observe(match)
        transaction.set_rollback(True)
    return observations


def test_the_clock_acts_the_same_in_two_worlds() -> None:
    rng = Random(3)
    for _ in range(4):
        people = [make_player(), make_player()]
        match = start_timed_match(*people, timeouts_allowed=1, time_bank_seconds=60)
        play_turn(match)
        late = reload_match(match).to_act or 0
        match.seats.filter(number=1 - late).update(timeouts=1)  # whose next turn the caretaker takes
        first = perform_clock_actions(match, people)
        redeal_hidden_cards(match, None, rng)
        assert perform_clock_actions(match, people) == first
        assert [entry["type"] for entry in first[0]][-3:] == ["pass", "caretaker", "reclaimed"]


def test_the_delay_of_a_standing_order_does_not_depend_on_the_hand() -> None:
    """The delay is random, from the same range for every hand."""
    people = [make_player(), make_player()]
    match = start_timed_match(*people)
    set_standing_order(match_id=match.pk, player=people[1 - (match.to_act or 0)])
    play_turn(match)
    waits = reload_match(match).wake_at
    assert waits is not None
    assert 0 < (waits - read_row(match).now).total_seconds() <= 10
