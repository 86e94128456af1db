"""What the clock does tells nothing of hidden cards: where they alone differ, it does the same."""

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
from tests.games.worlds.pairs import change_the_world
from tests.support.factories import make_player, now_at, play_on, read_row, time_out, with_clock

pytestmark = pytest.mark.usefixtures("database")

Told = list[Any]


def told(match: Match) -> Told:
    """The log, and what the match waits for: moments as how long they are from now, to half a minute."""
    stored = now_at(match)
    entries = [
        _without_moments(each) for each in match.moves.order_by("version").values_list("entry", flat=True)
    ]
    waits = [_soon(each) for each in (stored.deadline, stored.remind_at, stored.wake_at)]
    seats = list(match.seats.order_by("number").values_list("state", "time_bank_left", "timeouts", "asks"))
    return [entries, waits, seats]


def _without_moments(entry: Any) -> Any:
    moments = {"at", "until", "turn_left_ms"}
    kept = {name: value for name, value in entry.items() if name not in moments}
    return kept | {"next": {**entry["next"], "deadline": entry["next"]["deadline"] is not None}}


def _soon(moment: datetime | None) -> int | None:
    return None if moment is None else round((moment - timezone.now()) / timedelta(seconds=30))


def deeds(match: Match, people: list[Player]) -> Told:
    """A late player, a caretaker, a seat taken back, pauses and vacations; nothing of it stays."""
    late = people[now_at(match).to_act or 0]
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
        reclaim_seat(match_id=match.pk, player=people[now_at(match).to_act or 0])
        found = told(match)
        transaction.set_rollback(True)
    return found


def test_the_clock_does_the_same_in_two_worlds() -> None:
    rng = Random(3)
    for _ in range(4):
        people = [make_player(), make_player()]
        match = with_clock(*people, timeouts_allowed=1, time_bank_seconds=60)
        play_on(match)
        late = now_at(match).to_act or 0
        match.seats.filter(number=1 - late).update(timeouts=1)  # whose next turn the caretaker takes
        here = deeds(match, people)
        change_the_world(match, None, rng)
        assert deeds(match, people) == here
        assert [entry["type"] for entry in here[0]][-3:] == ["pass", "caretaker", "reclaimed"]


def test_when_an_order_is_carried_out_tells_nothing_of_the_hand() -> None:
    """It is random, from the same range whatever is held."""
    people = [make_player(), make_player()]
    match = with_clock(*people)
    set_standing_order(match_id=match.pk, player=people[1 - (match.to_act or 0)])
    play_on(match)
    waits = now_at(match).wake_at
    assert waits is not None
    assert 0 < (waits - read_row(match).now).total_seconds() <= 10
