"""Reminders, found in the database like everything that is due."""

from celery import shared_task

from games.services.notices.reminding import write_reminders


@shared_task
def remind() -> None:
    """Put reminders that are due into the outbox. It may run twice at once, late, or not at all."""
    write_reminders()
