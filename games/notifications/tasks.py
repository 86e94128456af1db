"""Celery tasks that send the outbox, on a separate queue so that slow receivers delay no other task.

Each task is safe to run concurrently, late, or not at all: rows are claimed with a lease.
"""

from celery import shared_task

from games.notifications import push
from games.notifications.deliveries import dispatch
from games.notifications.mail import send_due_mails


@shared_task(name="games.tasks.outbox.send_webhooks")
def send_webhooks() -> None:
    """Send the webhook deliveries that are due."""
    dispatch()


@shared_task(name="games.tasks.outbox.send_pushes")
def send_pushes() -> None:
    """Send the push messages that are due."""
    push.send_due_pushes()


@shared_task(name="games.tasks.outbox.send_mails")
def send_mails() -> None:
    """Send the mails that are due."""
    send_due_mails()
