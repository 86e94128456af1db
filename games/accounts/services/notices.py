"""Messages of operators to players: warnings, new names and suspensions."""

from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from games.accounts.services.mails import Mail, confirmed_email, send_on_commit
from games.core.errors import Problem
from games.identity.models import AccountNotice, AccountNoticeKind, Player

# How long an acknowledged message is stored.
RETENTION: Final = timedelta(days=365)


def notify_player(
    *, player: Player, kind: AccountNoticeKind, text: str, until: datetime | None = None
) -> AccountNotice:
    """Store a message that the player sees until it is acknowledged, and mail it to a confirmed address."""
    notice = AccountNotice.objects.create(player=player, kind=kind, text=text, until=until)
    if confirmed_email(player):
        send_on_commit(kind=Mail.ACCOUNT_NOTICE, about=notice.pk)
    return notice


def acknowledge_notice(*, player: Player, notice_id: str) -> None:
    """Mark a message as read; doing it again changes nothing. Raise 404 if there is no such message."""
    notices = AccountNotice.objects.filter(player=player, public_id=notice_id)
    if (
        not notices.filter(acknowledged_at=None).update(acknowledged_at=timezone.now())
        and not notices.exists()
    ):
        raise Problem("not_found")


def delete_old_notices(*, now: datetime) -> int:
    """Delete messages that were acknowledged long ago, and return their number."""
    deleted, _ = AccountNotice.objects.filter(acknowledged_at__lt=now - RETENTION).delete()
    return deleted
