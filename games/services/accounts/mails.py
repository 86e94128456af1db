"""Mails about an account. What is handed on says which mail to whom; its secret is made as it is written."""

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction

from games.models import Player
from games.services.accounts.mail_tokens import email_token, password_token


class Mail(StrEnum):
    """Which mail."""

    CONFIRM_EMAIL = "confirm_email"
    RESET_PASSWORD = "reset_password"  # noqa: S105 -- the name of a mail


Postman = Callable[[str, int], None]

_TEXTS: Final = {
    Mail.CONFIRM_EMAIL: (
        "Confirm your address",
        """\
Somebody, we hope you, gave this address to the Haggis account {username}.

To confirm it: {site}/confirm-email#{token}

If it was not you, leave this mail alone: nothing more will be sent here.
""",
    ),
    Mail.RESET_PASSWORD: (
        "A new password",
        """\
Somebody, we hope you, asked for a new password for the Haggis account {username}.

To choose one: {site}/reset-password#{token}

The link works once, for a day. If it was not you, leave this mail alone: nothing changes.
""",
    ),
}


def deliver(kind: str, player_id: int) -> None:
    """Write a mail and send it, if it is still to be sent."""
    player = Player.objects.filter(pk=player_id, is_active=True).exclude(email="").first()
    if player is None or player.email_confirmed == (kind == Mail.CONFIRM_EMAIL):
        return
    token = email_token(player) if kind == Mail.CONFIRM_EMAIL else password_token(player)
    subject, text = _TEXTS[Mail(kind)]
    body = text.format(username=player.username, site=settings.HAGGIS_SITE_ADDRESS, token=token)
    send_mail(subject, body, None, [player.email])


_postmen: Final[list[Postman]] = [deliver]


def deliver_by(postman: Postman) -> None:
    """Let mails be delivered by somebody else, who may be slow: a worker, outside of any request."""
    _postmen[:] = [postman]


def send_later(*, kind: Mail, player_id: int) -> None:
    """Have a mail delivered once the running transaction, if there is one, has been committed."""
    transaction.on_commit(lambda: _postmen[0](kind.value, player_id), robust=True)
