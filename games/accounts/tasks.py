"""Mails, sent by a worker: how long a mail server takes is nothing for a request to wait for.

A mail is the one thing that no sweep finds again. So it is tried again while the mail server is out of reach,
and where the broker does not take it, the request sends it itself: rather a slow answer than a lost mail.
"""

from celery import shared_task

from games.accounts.services.mails import send_account_mail
from games.core.queues import send_task


@shared_task(name="games.tasks.mails.send_mail", autoretry_for=(OSError,), retry_backoff=True, max_retries=5)
def send_mail(kind: str, player_id: int) -> None:
    """Write a mail of this kind to a player, and send it."""
    send_account_mail(kind, player_id)


def enqueue_mail(kind: str, player_id: int) -> None:
    """Have a mail sent by a worker, or send it now where no worker can be told of it."""
    if not send_task(send_mail, kind, player_id):
        send_account_mail(kind, player_id)
