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
    """Tokens that become invalid once the address is confirmed or changed."""

    key_salt = "games.accounts.email"

    def _make_hash_value(self, user: Player, timestamp: int) -> str:
        return f"{user.pk}:{user.email}:{user.email_confirmed}:{timestamp}"


class _PasswordTokens(PasswordResetTokenGenerator):
    """Tokens that become invalid on a password change, a login or a change of address."""

    key_salt = "games.accounts.password"


_EMAIL: Final = _EmailTokens()
_PASSWORD: Final = _PasswordTokens()


def email_token(player: Player) -> str:
    """Return a token that proves that the player has received a mail at the address."""
    return _make_token(player, _EMAIL)


def password_token(player: Player) -> str:
    """Return a token that authorises a password reset."""
    return _make_token(player, _PASSWORD)


def player_of_email_token(token: str) -> Player:
    """Return the player whose address the token confirms."""
    return _player(token, _EMAIL)


def player_of_password_token(token: str) -> Player:
    """Return the player whose password the token may reset."""
    return _player(token, _PASSWORD)


def _make_token(player: Player, tokens: PasswordResetTokenGenerator) -> str:
    return f"{int_to_base36(player.pk)}.{tokens.make_token(player)}"


def _player(text: str, tokens: PasswordResetTokenGenerator) -> Player:
    encoded_pk, _, token = text.partition(".")
    player = Player.objects.filter(pk=_decode_pk(encoded_pk), is_active=True).first()
    if player is None or not tokens.check_token(player, token):
        raise invalid_mail_token()
    return player


def _decode_pk(text: str) -> int:
    try:
        return base36_to_int(text)
    except ValueError as error:
        raise invalid_mail_token() from error


def invalid_mail_token() -> Problem:
    """Return the error of a token that is invalid, used, or expired."""
    return invalid_field("/token", "invalid_token", "The token is invalid or has expired.")


class Mail(StrEnum):
    """The kinds of account mail."""

    CONFIRM_EMAIL = "confirm_email"
    RESET_PASSWORD = "reset_password"  # noqa: S105 -- the name of a mail


MailSender = Callable[[str, int], None]

_TEXTS: Final = {
    Mail.CONFIRM_EMAIL: (
        "Confirm your address",
        """\
Somebody, we hope you, entered this address for the Haggis account {username}.

To confirm it, open {site}/confirm-email#{token}

If it was not you, ignore this mail: nothing more will be sent to you.
""",
    ),
    Mail.RESET_PASSWORD: (
        "Reset your password",
        """\
Somebody, we hope you, asked to reset the password of the Haggis account {username}.

To choose a new password, open {site}/reset-password#{token}

The link works once and expires after a day. If it was not you, ignore this mail: nothing changes.
""",
    ),
}


def send_account_mail(kind: str, player_id: int) -> None:
    """Compose and send a mail, unless the state of the account has made it obsolete."""
    player = Player.objects.filter(pk=player_id, is_active=True).exclude(email="").first()
    if player is None or player.email_confirmed == (kind == Mail.CONFIRM_EMAIL):
        return
    token = email_token(player) if kind == Mail.CONFIRM_EMAIL else password_token(player)
    subject, text = _TEXTS[Mail(kind)]
    body = text.format(username=player.username, site=settings.HAGGIS_SITE_ADDRESS, token=token)
    send_mail(subject, body, None, [player.email])


_sender: Final[list[MailSender]] = [send_account_mail]


def set_mail_sender(sender: MailSender) -> None:
    """Replace the function that delivers mails, for example by one that enqueues a task."""
    _sender[:] = [sender]


def send_on_commit(*, kind: Mail, player_id: int) -> None:
    """Send a mail after the current transaction, if any, has been committed."""
    transaction.on_commit(lambda: _sender[0](kind.value, player_id), robust=True)
