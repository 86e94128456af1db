"""Send account mails with signed tokens, and limit the mails that anybody can cause."""

import math
from collections.abc import Callable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core import signing
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Count, Min, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.http import base36_to_int, int_to_base36
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.accounts.models import SecurityEvent, SecurityEventKind, SentMail
from games.core.errors import Problem, invalid_field
from games.core.languages import message, speaking
from games.identity.models import AccountNotice, AccountNoticeKind, Player


class _EmailTokens(PasswordResetTokenGenerator):
    """Tokens that become invalid once the address is confirmed or changed."""

    key_salt = "games.accounts.email"

    def _make_hash_value(self, user: Player, timestamp: int) -> str:
        return f"{user.pk}:{user.email}:{user.email_confirmed}:{timestamp}"


class _PasswordTokens(PasswordResetTokenGenerator):
    """Tokens that become invalid on a change of the password or of the address.

    Unlike Django's, they stay valid on a login: an intruder who knows the password could otherwise log in
    again and again, so that the owner never gets to use one.
    """

    key_salt = "games.accounts.password"

    def _make_hash_value(self, user: Player, timestamp: int) -> str:
        return f"{user.pk}:{user.password}:{user.email}:{timestamp}"


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
    return invalid_field("/token", "invalid_token", message("The token is invalid or has expired."))


# How long a change can be undone, and how long security events are stored.
UNDO_PERIOD: Final = timedelta(days=7)
# With either an intruder locks the owner out: a password reset needs the address and the second factor.
UNDOABLE: Final = (SecurityEventKind.EMAIL_CHANGED, SecurityEventKind.SECOND_FACTOR_ADDED)
_UNDO_SIGNER: Final = signing.TimestampSigner(salt="games.accounts.undo")


def undo_token(event: SecurityEvent) -> str | None:
    """Return the signed token that undoes a change of address or a new second factor; `None` for others.

    Within a week after a change of address nothing else can be undone: the address of an intruder, even if it
    was confirmed for a while, must not get a link that takes the account back.
    """
    if event.kind not in UNDOABLE or not event.email:
        return None
    earlier = SecurityEvent.objects.filter(
        player=event.player_id,
        kind=SecurityEventKind.EMAIL_CHANGED,
        pk__lt=event.pk,
        at__gt=event.at - UNDO_PERIOD,
    ).exclude(email="")
    return None if earlier.exists() else _UNDO_SIGNER.sign(str(event.pk))


def event_of_undo_token(token: str) -> SecurityEvent:
    """Return the change that the token undoes."""
    try:
        pk = int(_UNDO_SIGNER.unsign(token, max_age=UNDO_PERIOD))
    except (signing.BadSignature, ValueError) as error:
        raise invalid_mail_token() from error
    event = SecurityEvent.objects.select_related("player").filter(pk=pk, player__is_active=True).first()
    if event is None or event.at <= timezone.now() - UNDO_PERIOD:
        raise invalid_mail_token()
    return event


class Mail(StrEnum):
    """The kinds of account mail."""

    CONFIRM_EMAIL = "confirm_email"
    RESET_PASSWORD = "reset_password"  # noqa: S105 -- the name of a mail
    SECURITY = "security"
    ACCOUNT_NOTICE = "account_notice"
    EXPORT_READY = "export_ready"


MailSender = Callable[[str, int], None]

_TEXTS: Final = {
    Mail.CONFIRM_EMAIL: (
        _("Confirm your address"),
        _("""\
Somebody, we hope you, entered this address for the Haggis account {username}.

To confirm it, open {site}/confirm-email#{token}

If it was not you, ignore this mail: nothing more will be sent to you.
"""),
    ),
    Mail.RESET_PASSWORD: (
        _("Reset your password"),
        _("""\
Somebody, we hope you, asked to reset the password of the Haggis account {username}.

To choose a new password, open {site}/reset-password#{token}

The link works once and expires after a day. If it was not you, ignore this mail: nothing changes.
"""),
    ),
    Mail.EXPORT_READY: (
        _("Your data is ready"),
        _("""\
The archive with the data of the Haggis account {username} is ready.

Log in and download it within seven days at {site}/account

If you have not asked for it, end all sessions there and choose a new password.
"""),
    ),
}
_SECURITY_TEXTS: Final = {
    SecurityEventKind.EMAIL_CHANGED: (
        _("Your e-mail address was changed"),
        _(
            "The e-mail address of the Haggis account {username} was changed. "
            "This address gets no more mails."
        ),
    ),
    SecurityEventKind.PASSWORD_CHANGED: (
        _("Your password was changed"),
        _("The password of the Haggis account {username} was changed."),
    ),
    SecurityEventKind.SECOND_FACTOR_ADDED: (
        _("A second factor was set up"),
        _("Logging in to the Haggis account {username} now needs a code of an authenticator app."),
    ),
    SecurityEventKind.SECOND_FACTOR_REMOVED: (
        _("Your second factor was removed"),
        _("Logging in to the Haggis account {username} no longer needs a code of an authenticator app."),
    ),
    SecurityEventKind.NEW_DEVICE: (
        _("Log-in from a new device"),
        _("Somebody logged in to the Haggis account {username} from a new device or place{device}."),
    ),
    SecurityEventKind.APP_AUTHORIZED: (
        _("An app may use your account"),
        _(
            "Somebody who had logged in has let an app{device} use the Haggis account {username}. "
            "To end this, open {site}/account#apps"
        ),
    ),
}
_UNDO_TEXT: Final = _("""
If it was not you, undo the change within seven days: {site}/undo-email-change#{token}
This restores the address, removes a new second factor, logs out every device and lets you choose a new
password.
""")
_OTHERWISE_TEXT: Final = _("""
If it was not you, choose a new password at {site}/reset-password and end all sessions at {site}/account
""")


def send_account_mail(kind: str, about: int) -> None:
    """Compose and send a mail, unless the state of the account has made it obsolete.

    `about` is the id of the player, or that of the security event or the message of operators that is mailed.
    """
    if kind == Mail.SECURITY:
        _send_security_mail(about)
        return
    if kind == Mail.ACCOUNT_NOTICE:
        _send_account_notice(about)
        return
    player = Player.objects.filter(pk=about, is_active=True).exclude(email="").first()
    if player is None or player.email_confirmed == (kind == Mail.CONFIRM_EMAIL):
        return
    token = email_token(player) if kind == Mail.CONFIRM_EMAIL else password_token(player)
    subject, text = _TEXTS[Mail(kind)]
    with speaking(player.language):
        body = text.format(username=player.username, site=settings.HAGGIS_SITE_ADDRESS, token=token)
        send_mail(str(subject), body, None, [player.email])


def _send_security_mail(event_id: int) -> None:
    event = SecurityEvent.objects.select_related("player").filter(pk=event_id).exclude(email="").first()
    if event is None:
        return
    token = undo_token(event)
    with speaking(event.player.language):
        subject, body = _security_mail(event, token)
        send_mail(subject, body, None, [event.email])


def _security_mail(event: SecurityEvent, token: str | None) -> tuple[str, str]:
    """Return the subject and the body in the current language."""
    subject, text = _SECURITY_TEXTS[SecurityEventKind(event.kind)]
    device = f" ({event.device})" if event.device else ""
    parts = (
        text.format(username=event.player.username, device=device, site=settings.HAGGIS_SITE_ADDRESS),
        gettext("Time: {time} UTC").format(time=f"{event.at:%Y-%m-%d %H:%M}"),
        (_UNDO_TEXT if token else _OTHERWISE_TEXT).format(site=settings.HAGGIS_SITE_ADDRESS, token=token),
    )
    return str(subject), "\n".join(parts)


_NOTICE_TEXTS: Final = {
    AccountNoticeKind.WARNING: (
        _("A warning from the operators"),
        _("The operators of Haggis have warned the account {username}:"),
    ),
    AccountNoticeKind.RENAMED: (
        _("Your account has a new name"),
        _("The operators of Haggis have changed the name of your account. Log in as {username}."),
    ),
    AccountNoticeKind.SUSPENSION: (
        _("Your account is suspended"),
        _("The operators of Haggis have suspended the account {username} until {until}:"),
    ),
}


def _send_account_notice(notice_id: int) -> None:
    notice = AccountNotice.objects.select_related("player").filter(pk=notice_id).first()
    if notice is None or not confirmed_email(notice.player):
        return
    subject, text = _NOTICE_TEXTS[AccountNoticeKind(notice.kind)]
    until = f"{notice.until:%Y-%m-%d %H:%M} UTC" if notice.until else ""
    with speaking(notice.player.language):
        first_line = text.format(username=notice.player.username, until=until)
        send_mail(str(subject), f"{first_line}\n\n{notice.text}\n", None, [notice.player.email])


def send_deletion_notice(email: str, username: str, language: str = "") -> None:
    """Notify the owner of an account, at its last confirmed address, of its deletion."""
    with speaking(language):
        body = gettext(
            "The Haggis account {username} and its bots were deleted by somebody who had logged in to it.\n"
            "This cannot be undone. You will receive no more mails.\n"
        ).format(username=username)
        send_mail(gettext("Your account was deleted"), body, None, [email])


_sender: Final[list[MailSender]] = [send_account_mail]


def set_mail_sender(sender: MailSender) -> None:
    """Replace the function that delivers mails, for example by one that enqueues a task."""
    _sender[:] = [sender]


def send_on_commit(*, kind: Mail, about: int) -> None:
    """Send a mail after the current transaction, if any, has been committed."""
    transaction.on_commit(lambda: _sender[0](kind.value, about), robust=True)


def confirmed_email(player: Player) -> str:
    """Return the address of a player if it is confirmed, or an empty string."""
    return player.email if player.email_confirmed else ""


# --- Limits. The database counts, so they are exact and hold for all processes.


class MailPurpose(StrEnum):
    """What a mail is for. Each purpose has limits of its own, so that no mail can use up those of another."""

    CONFIRM = "confirm"
    RESET = "reset"
    NOTICE = "notice"


def claim_confirmation_mail(*, player: Player | None, email: str, source: str) -> bool:
    """Count a confirmation mail; return `False` if the address has received too many.

    Raise `rate_limited` if the account or the client has caused too many. The limit of the address is not
    reported: it would reveal that others have entered the address.
    """
    account = None if player is None else player.pk
    waits = _count_mail(MailPurpose.CONFIRM, account=account, email=email, source=source)
    _raise_if_limited(waits, ("account", "source"))
    return not waits


def claim_reset_request(*, source: str) -> None:
    """Count a request for a reset mail, whether or not there is an account; raise `rate_limited`."""
    _raise_if_limited(_count_mail(MailPurpose.RESET, source=source), ("source",))


def claim_reset_mail(*, player: Player) -> bool:
    """Count a reset mail; return `False` if too many were sent. Requests cannot tell the difference."""
    return not _count_mail(MailPurpose.RESET, account=player.pk, email=player.email)


def claim_security_mail(*, player: Player, kind: SecurityEventKind) -> bool:
    """Count a notice of a security event; return `False` if the owner has received many of this kind."""
    return not _count_mail(kind, account=player.pk)


def claim_notice_mail(*, player: Player) -> timedelta:
    """Count a mail about matches; return how long it has to wait, which is zero below the limit."""
    return timedelta(seconds=max(_count_mail(MailPurpose.NOTICE, account=player.pk).values(), default=0))


def delete_old_mail_counts(*, now: datetime) -> int:
    """Delete counts that no longer matter, and return their number."""
    longest = max(window for _, window in settings.HAGGIS_MAIL_LIMITS.values())
    deleted, _ = SentMail.objects.filter(at__lt=now - timedelta(seconds=longest)).delete()
    return deleted


def _raise_if_limited(waits: dict[str, int], names: tuple[str, ...]) -> None:
    seconds = [waits[name] for name in names if name in waits]
    if seconds:
        raise Problem("rate_limited", message("Too many mails were requested."), retry_after=max(seconds))


def _count_mail(
    purpose: MailPurpose | SecurityEventKind, *, account: int | None = None, email: str = "", source: str = ""
) -> dict[str, int]:
    """Count a mail, or return the exceeded limits with the seconds to wait.

    The mail is counted before it is sent, so that concurrent requests cannot bypass the limits. A mail that
    is refused does not count.
    """
    now = timezone.now()
    row = SentMail.objects.create(
        purpose=purpose.value, account=account, email=_email_digest(email), source=source, at=now
    )
    limits: dict[str, tuple[int, int]] = settings.HAGGIS_MAIL_LIMITS
    conditions = {
        "notices" if purpose == MailPurpose.NOTICE else "account": Q(account=account) if account else None,
        "email": Q(email=row.email) if email else None,
        "source": Q(source=source) if source else None,
    }
    waits = {}
    for name, condition in conditions.items():
        if condition is None or name not in limits:
            continue
        most, window = limits[name]
        since = now - timedelta(seconds=window)
        counted = SentMail.objects.filter(condition, purpose=row.purpose, at__gt=since).aggregate(
            count=Count("pk"), first=Min("at")
        )
        if counted["count"] > most:
            until = counted["first"] + timedelta(seconds=window)
            waits[name] = max(1, math.ceil((until - now).total_seconds()))
    if waits:
        row.delete()
    return waits


def _email_digest(email: str) -> str:
    """Return a keyed hash of a mailbox: letter case and what follows a plus sign do not change it."""
    if not email:
        return ""
    local, _, domain = email.lower().rpartition("@")
    mailbox = f"{local.partition('+')[0]}@{domain}"
    return salted_hmac("games.accounts.mails", mailbox, algorithm="sha256").hexdigest()
