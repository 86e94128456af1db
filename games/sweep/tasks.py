"""Celery tasks of the beat schedule: the sweep and cleanup."""

from typing import Final

from celery import shared_task
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from games.accounts.services.attempts import delete_old_attempts, delete_old_devices
from games.accounts.services.credentials import delete_expired_tickets
from games.accounts.services.mails import delete_old_mail_counts
from games.accounts.services.security import delete_old_events
from games.ai.analysis import delete_old_analyses
from games.ai.tasks import dispatch_waiting_turns
from games.api.idempotency import delete_old_keys
from games.clock.queries import find_due_work
from games.clock.services import process_due_clocks
from games.lobby.services.membership import complete_bans, delete_never_started_matches, expire_open_matches
from games.notifications.webhooks import delete_old_deliveries
from games.play.services import wake_missed_orders
from games.privacy.services import complete_deletions

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


@shared_task(name="games.tasks.tidying.delete_matches")
def delete_matches() -> None:
    """Delete matches that were cancelled long ago before they started."""
    delete_never_started_matches(now=timezone.now())


@shared_task(name="games.tasks.tidying.delete_analyses")
def delete_analyses() -> None:
    """Delete old analyses, which can be requested again."""
    delete_old_analyses(now=timezone.now())


@shared_task(name="games.tasks.tidying.complete_closings")
def complete_closings() -> None:
    """Complete the deletions and bans of accounts that were interrupted."""
    complete_deletions()
    complete_bans()


@shared_task(name="games.tasks.tidying.forget_keys")
def delete_idempotency_keys() -> None:
    """Delete expired idempotency keys."""
    delete_old_keys(now=timezone.now())


@shared_task(name="games.tasks.tidying.forget_attempts")
def delete_login_attempts() -> None:
    """Delete what is stored about log-ins and mails and no longer needed."""
    now = timezone.now()
    delete_old_attempts(now=now)
    delete_old_devices(now=now)
    delete_old_mail_counts(now=now)
    delete_old_events(now=now)
    SessionStore.clear_expired()


@shared_task(name="games.tasks.tidying.forget_tickets")
def delete_tickets() -> None:
    """Delete expired tickets."""
    delete_expired_tickets(now=timezone.now())


@shared_task(name="games.tasks.tidying.forget_deliveries")
def delete_deliveries() -> None:
    """Delete old webhook deliveries."""
    delete_old_deliveries(now=timezone.now())
