"""Send account mails from a worker, so that no request waits for the mail server.

Unlike other work, a lost mail is not recovered by the periodic sweep. The task is therefore retried while the
mail server is unreachable, and if the broker does not accept it, the request sends the mail itself: a slow
response is better than a lost mail.
"""

from celery import shared_task

from games.accounts.services.mails import send_account_mail, send_deletion_notice
from games.core.queues import send_task


@shared_task(name="games.tasks.mails.send_mail", autoretry_for=(OSError,), retry_backoff=True, max_retries=5)
def send_mail(kind: str, about: int) -> None:
    """Compose a mail of this kind about a player or a security event and send it."""
    send_account_mail(kind, about)


def enqueue_mail(kind: str, about: int) -> None:
    """Enqueue the task that sends a mail, or send it now if the broker is unavailable."""
    if not send_task(send_mail, kind, about):
        send_account_mail(kind, about)


@shared_task(
    name="games.tasks.mails.send_deletion_notice",
    autoretry_for=(OSError,),
    retry_backoff=True,
    max_retries=5,
)
def send_last_mail(email: str, username: str, language: str = "") -> None:
    """Tell the owner of a deleted account. The address is an argument because no row has it any longer."""
    send_deletion_notice(email, username, language)


def enqueue_deletion_notice(email: str, username: str, language: str) -> None:
    """Enqueue the task that sends the last mail of an account, or send it now."""
    if not send_task(send_last_mail, email, username, language):
        send_deletion_notice(email, username, language)
