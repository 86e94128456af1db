"""Celery tasks of the beat schedule: the sweep and cleanup."""

from typing import Final

from celery import shared_task
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from games.accounts.services.addresses import delete_expired_blocks
from games.accounts.services.attempts import delete_old_attempts, delete_old_devices
from games.accounts.services.credentials import delete_expired_tickets
from games.accounts.services.mails import delete_old_mail_counts
from games.accounts.services.notices import delete_old_notices
from games.accounts.services.security import delete_old_events
from games.ai.analysis import delete_old_analyses
from games.ai.attempts import delete_old_attempts as delete_old_turn_attempts
from games.ai.tasks import dispatch_waiting_turns
from games.api.idempotency import delete_old_keys
from games.clock.queries import find_due_work
from games.clock.services import process_due_clocks
from games.lobby.services.membership import (
    cancel_idle_matches,
    complete_bans,
    delete_never_started_matches,
    expire_open_matches,
)
from games.notices.services import delete_old_notices as delete_old_player_notices
from games.notifications.outbox import delete_old_attempts as delete_old_notice_attempts
from games.notifications.webhooks import delete_old_deliveries
from games.oauth.services import delete_expired as delete_expired_grants
from games.operators.moderation import complete_suspensions
from games.play.services import wake_missed_orders
from games.privacy.services import complete_deletions
from games.reports.services import delete_old_reports

ORDERS_BATCH_SIZE: Final = 100


@shared_task(name="games.tasks.sweeping.sweep")
def sweep() -> None:
    """Do all work that is due, and wake the workers of AI turns if their messages were lost.

    The task is safe to run concurrently, late or not at all.
    """
    due = process_due_clocks()
    if due.orders and wake_missed_orders(at_most=ORDERS_BATCH_SIZE):
        due = find_due_work()
    if due.turns:
        dispatch_waiting_turns()


@shared_task(name="games.tasks.tidying.call_off_matches")
def cancel_expired_matches() -> None:
    """Cancel open matches that were not filled in time."""
    expire_open_matches(now=timezone.now())


@shared_task(name="games.tasks.tidying.end_idle_matches")
def end_idle_matches() -> None:
    """Cancel matches against AIs whose player has not acted for long."""
    cancel_idle_matches(now=timezone.now())


@shared_task(name="games.tasks.tidying.delete_matches")
def delete_matches() -> None:
    """Delete matches that were cancelled long ago before they started."""
    delete_never_started_matches(now=timezone.now())


@shared_task(name="games.tasks.tidying.delete_analyses")
def delete_analyses() -> None:
    """Delete old analyses, which can be requested again, and old failures of AIs."""
    now = timezone.now()
    delete_old_analyses(now=now)
    delete_old_turn_attempts(now=now)


@shared_task(name="games.tasks.tidying.complete_closings")
def complete_closings() -> None:
    """Complete the deletions, bans and suspensions of accounts that were interrupted."""
    complete_deletions()
    complete_bans()
    complete_suspensions()


@shared_task(name="games.tasks.tidying.forget_keys")
def delete_idempotency_keys() -> None:
    """Delete expired idempotency keys."""
    delete_old_keys(now=timezone.now())


@shared_task(name="games.tasks.tidying.forget_attempts")
def delete_login_attempts() -> None:
    """Delete what is stored about log-ins, mails and cases and no longer needed."""
    now = timezone.now()
    delete_old_attempts(now=now)
    delete_old_devices(now=now)
    delete_old_mail_counts(now=now)
    delete_old_events(now=now)
    delete_expired_blocks(now=now)
    delete_old_notices(now=now)
    delete_old_reports(now=now)
    delete_expired_grants(now=now)
    SessionStore.clear_expired()


@shared_task(name="games.tasks.tidying.forget_tickets")
def delete_tickets() -> None:
    """Delete expired tickets."""
    delete_expired_tickets(now=timezone.now())


@shared_task(name="games.tasks.tidying.forget_deliveries")
def delete_deliveries() -> None:
    """Delete old webhook deliveries, old notices, and old attempts to send notices."""
    now = timezone.now()
    delete_old_player_notices(now=now)
    delete_old_deliveries(now=now)
    delete_old_notice_attempts(now=now)
