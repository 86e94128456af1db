"""Delete accounts and bots, and anonymise their rows.

A deletion has three steps, each in its own transaction. First the account is closed: from this commit on no
other service writes anything for it (`games.identity.services.lock_player`). Then its data is deleted or
overwritten, and then its matches are left. A single transaction would wait for matches while it holds the
player, and so deadlock with moves, which lock the match first. If the process dies in between, the sweep
completes the deletion (`complete_deletions`).
"""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone

from games.accounts.services.mails import confirmed_email
from games.accounts.services.names import new_deleted_name
from games.accounts.services.security import delete_security_data
from games.accounts.services.sign_in import get_own_bot
from games.accounts.tasks import enqueue_deletion_notice
from games.api.models import IdempotencyKey
from games.directory.services import delete_blocks, delete_follows
from games.identity.models import ApiToken, ChallengePolicy, Closing, Player
from games.identity.services import close_account
from games.lobby.services.membership import leave_all_matches
from games.notices.services import delete_notices
from games.notifications.outbox import delete_all_notices
from games.notifications.push import delete_devices, delete_devices_since
from games.notifications.webhooks import delete_webhooks, delete_webhooks_since
from games.oauth.apps import delete_apps
from games.privacy.exports import delete_exports
from games.puzzles.services import delete_answers
from games.records.publication import write_names_again
from games.reports.services import delete_reports
from games.statistics.services import delete_statistics

COMPLETED_AT_ONCE: Final = 50

log = logging.getLogger(__name__)


def delete_bot(*, owner: Player, username: str) -> None:
    """Delete a bot of this owner; its matches stay."""
    delete_account(player=get_own_bot(owner, username))


def delete_account(*, player: Player) -> None:
    """Anonymise an account and its bots; their finished matches stay under a random username.

    Running matches are resigned and waiting ones are left, so that no opponent waits for a deleted player.
    """
    email, username, language = confirmed_email(player), player.username, player.language
    accounts = close_account(player=player, closing=Closing.DELETION)
    _complete(accounts)
    if email:
        transaction.on_commit(lambda: enqueue_deletion_notice(email, username, language), robust=True)


def complete_deletions(*, at_most: int = COMPLETED_AT_ONCE) -> int:
    """Complete deletions that were interrupted; return the number of accounts that were tried without error.

    An account that fails does not keep the others. The order is random, so that accounts that fail again and
    again do not fill every batch.
    """
    accounts = list(Player.objects.filter(closing=Closing.DELETION).order_by("?")[:at_most])
    return sum(_try_to_complete(account) for account in accounts)


def _try_to_complete(account: Player) -> bool:
    """Complete one deletion; return whether it worked. A failure is logged without its message."""
    try:
        _complete([account])
    except Exception as error:  # noqa: BLE001 -- one account must not block the others
        log.error(  # noqa: TRY400 -- the message of the error may contain personal data
            "deleting account %s failed with %s", account.pk, type(error).__name__
        )
        return False
    return True


def _complete(accounts: Sequence[Player]) -> None:
    for account in accounts:
        _anonymise(account)
        # Not in the same transaction, which would wait for the statistics while it holds the player.
        delete_statistics(player=account)
    delete_exports(player_ids=[account.pk for account in accounts])
    write_names_again()
    leave_all_matches(players=accounts)
    # A move that was committed while the account was closed can have stored its answer, and notices.
    IdempotencyKey.objects.filter(player__in=accounts).delete()
    delete_all_notices(player_ids=[account.pk for account in accounts])
    delete_notices(player_ids=[account.pk for account in accounts])


def delete_recent_receivers(player: Player, since: datetime) -> None:
    """Delete the webhooks and devices that an intruder may have added to an account since a time."""
    delete_webhooks_since(player=player, since=since)
    delete_devices_since(player=player, since=since)


@transaction.atomic
def _anonymise(account: Player) -> None:
    """Delete the data of a closed account and overwrite everything personal in its row.

    The row is written first, since that waits for all transactions that refer to it.
    """
    Player.objects.filter(pk=account.pk, closing=Closing.DELETION, deleted_at=None).update(
        username=new_deleted_name(),
        password=make_password(None),
        first_name="",
        last_name="",
        display_name="",
        email="",
        email_confirmed=False,
        time_zone="UTC",
        language="",
        notifications={},
        vacation_since=None,
        vacation_until=None,
        suspended_until=None,
        own_suspension_until=None,
        show_online=True,
        is_active=False,
        is_staff=False,
        is_superuser=False,
        last_login=None,
        owner=None,
        deleted_at=timezone.now(),
    )
    account.groups.clear()
    account.user_permissions.clear()
    ApiToken.objects.filter(user=account).delete()
    delete_security_data(player=account)
    account.account_notices.all().delete()
    delete_reports(player=account)
    IdempotencyKey.objects.filter(player=account).delete()
    delete_apps(owner=account)
    delete_webhooks(player=account)
    delete_devices(player=account)
    delete_all_notices(player_ids=[account.pk])
    delete_notices(player_ids=[account.pk])
    delete_answers(player=account)
    delete_follows(player=account)
    delete_blocks(player=account)
    ChallengePolicy.objects.filter(bot=account).delete()
