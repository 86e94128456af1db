"""What is over is cleared away, a bounded number at a time."""

from celery import shared_task
from django.utils import timezone

from games.api.idempotency import delete_old_keys
from games.services.accounts.attempts import forget_old_attempts
from games.services.accounts.tickets import forget_old_tickets
from games.services.lobby.calling_off import expire_open_matches
from games.services.webhooks.deliveries import forget_old_deliveries


@shared_task
def call_off_matches() -> None:
    """Call off the matches that nobody has filled in time."""
    expire_open_matches(now=timezone.now())


@shared_task
def forget_keys() -> None:
    """Forget the answers that nobody may ask for again."""
    delete_old_keys(now=timezone.now())


@shared_task
def forget_attempts() -> None:
    """Forget the attempts to log in that do not count any more."""
    forget_old_attempts(now=timezone.now())


@shared_task
def forget_tickets() -> None:
    """Forget the tickets that nobody has used in time."""
    forget_old_tickets(now=timezone.now())


@shared_task
def forget_deliveries() -> None:
    """Forget what was sent to endpoints long ago."""
    forget_old_deliveries(now=timezone.now())
