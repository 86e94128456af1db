from datetime import timedelta

import pytest
from django.db.models.functions import Now

from games.clock.reminders import write_due_reminders
from games.matches.models.match import Match
from games.notifications.models import Notice
from tests.support.factories import make_player, reload_match, start_timed_match

pytestmark = pytest.mark.usefixtures("database")


def match_with_notifications(*notices: str) -> Match:
    people = [
        make_player(email=f"h{number}@example.org", email_confirmed=True, notifications={"email": [*notices]})
        for number in range(2)
    ]
    return start_timed_match(*people, turn_seconds=7200)


def make_reminder_due(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(remind_at=Now() - timedelta(seconds=1))


def test_player_who_wants_reminders_gets_one_per_turn() -> None:
    match = match_with_notifications("reminder")
    assert write_due_reminders() == 0
    make_reminder_due(match)
    assert write_due_reminders() == 1
    assert write_due_reminders() == 0
    [notice] = Notice.objects.all()
    seat = match.seats.get(number=match.to_act or 0)
    assert (notice.kind, notice.about, notice.player_id) == ("reminder", match.pk, seat.player_id)
    assert (reload_match(match).remind_at, reload_match(match).version) == (None, match.version)


def test_player_who_does_not_want_reminders_gets_none() -> None:
    match = match_with_notifications()
    make_reminder_due(match)
    assert write_due_reminders() == 1
    assert not Notice.objects.exists()
