from datetime import timedelta

import pytest
from celery import current_app
from django.utils import timezone

from games.accounts.models import LogInAttempt, Ticket
from games.accounts.services.credentials import LIFETIME, issue_ticket
from games.api.models import IdempotencyKey
from games.identity.services import log_in_token
from games.matches.models.match import Match, MatchStatus
from games.sweep.tasks import call_off_matches, forget_attempts, forget_keys, forget_tickets
from tests.support.factories import make_match, make_player

LONG_AGO = timedelta(days=30)


def test_a_match_that_waited_too_long_is_called_off(database: str) -> None:
    now = timezone.now()
    over = make_match(make_player(), make_player(), expires_at=now - timedelta(seconds=1))
    waiting = make_match(make_player(), make_player(), expires_at=now + timedelta(hours=1))
    call_off_matches()
    assert Match.objects.get(pk=over.pk).status == MatchStatus.CANCELLED
    assert Match.objects.get(pk=waiting.pk).status == MatchStatus.OPEN


def test_answers_are_forgotten_after_a_day(database: str) -> None:
    player = make_player()
    for key, age in (("old", LONG_AGO), ("new", timedelta())):
        IdempotencyKey.objects.create(
            player=player, method="POST", path="/", key=key, body_hash="", created=timezone.now() - age
        )
    forget_keys()
    assert list(IdempotencyKey.objects.values_list("key", flat=True)) == ["new"]


def test_attempts_to_log_in_are_forgotten(database: str) -> None:
    for account, age in (("old", LONG_AGO), ("new", timedelta())):
        LogInAttempt.objects.create(account=account, address="::1", at=timezone.now() - age)
    forget_attempts()
    assert list(LogInAttempt.objects.values_list("account", flat=True)) == ["new"]


def test_tickets_that_nobody_used_are_forgotten(database: str) -> None:
    issue_ticket(token=log_in_token(player=make_player()).token.row())
    forget_tickets()
    assert Ticket.objects.count() == 1
    Ticket.objects.update(expires_at=timezone.now() - LIFETIME)
    forget_tickets()
    assert not Ticket.objects.exists()


@pytest.mark.parametrize("line", current_app.conf.beat_schedule)
def test_every_task_of_the_schedule_is_there_and_none_piles_up(line: str) -> None:
    scheduled = current_app.conf.beat_schedule[line]
    assert scheduled["task"] in current_app.tasks
    assert scheduled["options"]["expires"] <= 2 * scheduled["schedule"]
