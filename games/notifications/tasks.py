"""What is sent to others, on a queue of its own: receivers may be slow, and nobody is to wait for them."""

from celery import shared_task

from games.notifications import push
from games.notifications.deliveries import dispatch
from games.notifications.mail import send_due_mails


@shared_task(name="games.tasks.outbox.send_webhooks")
def send_webhooks() -> None:
    """Send the webhooks that are due. It may run many times at once, late, or not at all."""
    dispatch()


@shared_task(name="games.tasks.outbox.send_pushes")
def send_pushes() -> None:
    """Send the push messages that are due. It may run many times at once, late, or not at all."""
    push.send_due_pushes()


@shared_task(name="games.tasks.outbox.send_mails")
def send_mails() -> None:
    """Send the mails that are due. It may run many times at once, late, or not at all."""
    send_due_mails()
