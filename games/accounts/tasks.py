"""Send account mails from a worker, so that no request waits for the mail server.

Unlike other work, a lost mail is not recovered by the periodic sweep. The task is therefore retried while the
mail server is unreachable, and if the broker does not accept it, the request sends the mail itself: a slow
response is better than a lost mail.
"""

from celery import shared_task

from games.accounts.services.mails import send_account_mail
from games.core.queues import send_task


@shared_task(name="games.tasks.mails.send_mail", autoretry_for=(OSError,), retry_backoff=True, max_retries=5)
def send_mail(kind: str, player_id: int) -> None:
    """Compose a mail of this kind and send it to the player."""
    send_account_mail(kind, player_id)


def enqueue_mail(kind: str, player_id: int) -> None:
    """Enqueue the task that sends a mail, or send it now if the broker is unavailable."""
    if not send_task(send_mail, kind, player_id):
        send_account_mail(kind, player_id)
