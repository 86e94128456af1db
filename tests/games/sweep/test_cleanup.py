from datetime import timedelta

import pytest
from celery import current_app
from django.contrib.sessions.models import Session
from django.utils import timezone

from games.accounts.models import LogInAttempt, Ticket
from games.accounts.services.credentials import LIFETIME, issue_ticket
from games.api.models import IdempotencyKey
from games.identity.services import log_in_token
from games.matches.models.match import Match, MatchStatus
from games.sweep.tasks import (
    cancel_expired_matches,
    delete_idempotency_keys,
    delete_login_attempts,
    delete_tickets,
)
from tests.support.factories import make_match, make_player

LONG_AGO = timedelta(days=30)


def test_expired_open_match_is_cancelled(database: str) -> None:
    now = timezone.now()
    expired = make_match(make_player(), make_player(), expires_at=now - timedelta(seconds=1))
    waiting = make_match(make_player(), make_player(), expires_at=now + timedelta(hours=1))
    cancel_expired_matches()
    assert Match.objects.get(pk=expired.pk).status == MatchStatus.CANCELLED
    assert Match.objects.get(pk=waiting.pk).status == MatchStatus.OPEN


def test_idempotency_keys_are_deleted_after_a_day(database: str) -> None:
    player = make_player()
    for key, age in (("old", LONG_AGO), ("new", timedelta())):
        IdempotencyKey.objects.create(
            player=player, method="POST", path="/", key=key, body_hash="", created=timezone.now() - age
        )
    delete_idempotency_keys()
    assert list(IdempotencyKey.objects.values_list("key", flat=True)) == ["new"]


def test_old_login_attempts_are_deleted(database: str) -> None:
    for account, age in (("old", LONG_AGO), ("new", timedelta())):
        LogInAttempt.objects.create(account=account, address="::1", at=timezone.now() - age)
    delete_login_attempts()
    assert list(LogInAttempt.objects.values_list("account", flat=True)) == ["new"]


def test_expired_sessions_are_deleted(database: str) -> None:
    for number, days in enumerate((-1, 1)):
        expires = timezone.now() + timedelta(days=days)
        Session.objects.create(session_key=str(number), session_data="", expire_date=expires)
    delete_login_attempts()
    assert list(Session.objects.values_list("session_key", flat=True)) == ["1"]


def test_expired_tickets_are_deleted(database: str) -> None:
    issue_ticket(token=log_in_token(player=make_player()).token.row())
    delete_tickets()
    assert Ticket.objects.count() == 1
    Ticket.objects.update(expires_at=timezone.now() - LIFETIME)
    delete_tickets()
    assert not Ticket.objects.exists()


@pytest.mark.parametrize("name", current_app.conf.beat_schedule)
def test_scheduled_tasks_exist_and_expire_before_they_pile_up(name: str) -> None:
    current_app.loader.import_default_modules()  # as workers do when they start
    scheduled = current_app.conf.beat_schedule[name]
    assert scheduled["task"] in current_app.tasks
    assert scheduled["options"]["expires"] <= 2 * scheduled["schedule"]
