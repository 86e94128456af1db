"""Send account mails with signed tokens."""

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.mail import send_mail
from django.db import transaction
from django.utils.http import base36_to_int, int_to_base36

from games.core.errors import Problem, invalid_field
from games.identity.models import Player


class _EmailTokens(PasswordResetTokenGenerator):
    """Worth nothing once the address is confirmed or another one is given."""

    key_salt = "games.accounts.email"

    def _make_hash_value(self, user: Player, timestamp: int) -> str:
        return f"{user.pk}:{user.email}:{user.email_confirmed}:{timestamp}"


class _PasswordTokens(PasswordResetTokenGenerator):
    """Worth nothing once the password is changed, somebody has logged in, or the address is another."""

    key_salt = "games.accounts.password"


_EMAIL: Final = _EmailTokens()
_PASSWORD: Final = _PasswordTokens()


def email_token(player: Player) -> str:
    """Proof that a mail to the player's address was read."""
    return _make_token(player, _EMAIL)


def password_token(player: Player) -> str:
    """The right to choose a new password."""
    return _make_token(player, _PASSWORD)


def player_of_email_token(token: str) -> Player:
    """The player whose address this confirms."""
    return _player(token, _EMAIL)


def player_of_password_token(token: str) -> Player:
    """The player who may choose a new password with this."""
    return _player(token, _PASSWORD)


def _make_token(player: Player, tokens: PasswordResetTokenGenerator) -> str:
    return f"{int_to_base36(player.pk)}.{tokens.make_token(player)}"


def _player(text: str, tokens: PasswordResetTokenGenerator) -> Player:
    whose, _, token = text.partition(".")
    player = Player.objects.filter(pk=_number(whose), is_active=True).first()
    if player is None or not tokens.check_token(player, token):
        raise _refusal()
    return player


def _number(text: str) -> int:
    try:
        return base36_to_int(text)
    except ValueError as error:
        raise _refusal() from error


def _refusal() -> Problem:
    return invalid_field("/token", "invalid_token", "The token is not valid, or not any more.")


class Mail(StrEnum):
    """Which mail."""

    CONFIRM_EMAIL = "confirm_email"
    RESET_PASSWORD = "reset_password"  # noqa: S105 -- the name of a mail


MailSender = Callable[[str, int], None]

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


def send_account_mail(kind: str, player_id: int) -> None:
    """Write a mail and send it, if it is still to be sent."""
    player = Player.objects.filter(pk=player_id, is_active=True).exclude(email="").first()
    if player is None or player.email_confirmed == (kind == Mail.CONFIRM_EMAIL):
        return
    token = email_token(player) if kind == Mail.CONFIRM_EMAIL else password_token(player)
    subject, text = _TEXTS[Mail(kind)]
    body = text.format(username=player.username, site=settings.HAGGIS_SITE_ADDRESS, token=token)
    send_mail(subject, body, None, [player.email])


_sender: Final[list[MailSender]] = [send_account_mail]


def set_mail_sender(postman: MailSender) -> None:
    """Let mails be delivered by somebody else, who may be slow: a worker, outside of any request."""
    _sender[:] = [postman]


def send_on_commit(*, kind: Mail, player_id: int) -> None:
    """Have a mail delivered once the running transaction, if there is one, has been committed."""
    transaction.on_commit(lambda: _sender[0](kind.value, player_id), robust=True)
