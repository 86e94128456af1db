"""Security events: tell the owner of an account about changes, and undo what locks the owner out."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from games.accounts.models import (
    BlockedAddress,
    KnownDevice,
    RecoveryCode,
    SecondFactor,
    SecurityEvent,
    SecurityEventKind,
)
from games.accounts.services.mails import (
    UNDO_PERIOD,
    UNDOABLE,
    Mail,
    claim_security_mail,
    confirmed_email,
    event_of_undo_token,
    password_token,
    send_on_commit,
)
from games.identity.app_models import OAuthApp
from games.identity.models import ApiToken, Player
from games.identity.services import lock_players, revoke_all
from games.notices.models import NoticeType, SecurityData
from games.notices.services import notify_player

Listener = Callable[[SecurityEvent], None]
_listeners: Final[list[Listener]] = []
# Called in the transaction of the undoing, with the account and the time since when an intruder had it.
UndoListener = Callable[[Player, datetime], None]
_undo_listeners: Final[list[UndoListener]] = []


def subscribe_security_events(listener: Listener) -> None:
    """Call this function with each security event after its transaction has been committed."""
    _listeners.append(listener)


def subscribe_undone_changes(listener: UndoListener) -> None:
    """Call this function when a change is undone, to delete what an intruder may have added since."""
    _undo_listeners.append(listener)


def record_security_event(
    *, player: Player, kind: SecurityEventKind, email: str | None = None, device: str = ""
) -> None:
    """Store an event within the transaction of the change, and notify the owner once it is committed.

    The mail goes to `email`, or else to the confirmed address of the account. Beyond the limit of mails an
    event is neither stored nor sent, so that nobody fills the database. A change of address always is: how
    often that can happen is limited itself.
    """
    if kind != SecurityEventKind.EMAIL_CHANGED and not claim_security_mail(player=player, kind=kind):
        return
    address = confirmed_email(player) if email is None else email
    event = SecurityEvent.objects.create(
        player=player, kind=kind, at=timezone.now(), email=address, device=device
    )
    if address:
        send_on_commit(kind=Mail.SECURITY, about=event.pk)
    notify_player(player_id=player.pk, type=NoticeType.SECURITY, data=_notice_data(event))
    transaction.on_commit(lambda: _publish(event), robust=True)


def _notice_data(event: SecurityEvent) -> SecurityData:
    return {"event": event.kind, "device": event.device} if event.device else {"event": event.kind}


def _publish(event: SecurityEvent) -> None:
    for listener in _listeners:
        listener(event)


def delete_old_events(*, now: datetime) -> int:
    """Delete the events that can no longer be undone, and return their number."""
    deleted, _ = SecurityEvent.objects.filter(at__lt=now - UNDO_PERIOD).delete()
    return deleted


def undo_email_change(*, token: str) -> str:
    """Restore the address before a change, and return a token to set a new password.

    Everything that an intruder may hold is revoked: the password, every token of the account, tokens of its
    bots, webhooks and devices that were made since the change, and a second factor that is not older than a
    week at the change. An intruder could set one up first, so that the owner could not use the new password.
    An older one, which the owner had a week to undo, stays: access to a mailbox alone is not enough to get
    into the account.
    """
    with transaction.atomic():
        lock_players([event_of_undo_token(token).player_id])
        event = event_of_undo_token(token)  # again: a concurrent request may have used it
        player = event.player
        player.email, player.email_confirmed = event.email, True
        player.set_unusable_password()
        player.save(update_fields=["email", "email_confirmed", "password"])
        revoke_all(player=player)
        ApiToken.objects.filter(user__owner=player, created__gte=event.at).delete()
        OAuthApp.objects.filter(owner=player, created_at__gte=event.at).delete()
        KnownDevice.objects.filter(player=player, last_seen__gte=event.at).delete()
        for listener in _undo_listeners:
            listener(player, event.at)
        oldest = event.at - UNDO_PERIOD
        if SecondFactor.objects.filter(player=player).exclude(confirmed_at__lt=oldest).exists():
            SecondFactor.objects.filter(player=player).delete()
            RecoveryCode.objects.filter(player=player).delete()
        SecurityEvent.objects.filter(player=player, kind__in=UNDOABLE).delete()
    return password_token(player)


def delete_security_data(*, player: Player) -> None:
    """Delete what is stored about the devices, the second factor and the changes of a deleted account."""
    KnownDevice.objects.filter(player=player).delete()
    BlockedAddress.objects.filter(player=player).delete()
    RecoveryCode.objects.filter(player=player).delete()
    SecondFactor.objects.filter(player=player).delete()
    SecurityEvent.objects.filter(player=player).delete()
