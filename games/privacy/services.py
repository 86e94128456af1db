"""Delete accounts and bots, and anonymise their rows."""

from django.db import transaction
from django.utils import timezone

from games.accounts.services.profile import new_deleted_name
from games.accounts.services.sign_in import get_own_bot
from games.api.models import IdempotencyKey
from games.identity.models import ApiToken, Player
from games.lobby.services.membership import leave_all_matches
from games.notifications.models import Notice
from games.notifications.push import delete_devices
from games.notifications.webhooks import delete_webhooks


def delete_bot(*, owner: Player, username: str) -> None:
    """Delete a bot of this owner; its matches stay."""
    delete_account(player=get_own_bot(owner, username))


def delete_account(*, player: Player) -> None:
    """Anonymise an account and its bots; their finished matches stay under a random username.

    Running matches are resigned and waiting ones are left, so that no opponent waits for a deleted player.
    """
    with transaction.atomic():
        for account in [*player.bots.all(), player]:
            leave_all_matches(player=account)
            _anonymise(account)


def _anonymise(account: Player) -> None:
    """Delete the data of an account and overwrite everything personal in its row."""
    ApiToken.objects.filter(user=account).delete()
    IdempotencyKey.objects.filter(player=account).delete()
    delete_webhooks(player=account)
    delete_devices(player=account)
    Notice.objects.filter(player=account).delete()
    account.set_unusable_password()
    Player.objects.filter(pk=account.pk).update(
        username=new_deleted_name(),
        password=account.password,
        first_name="",
        last_name="",
        display_name="",
        email="",
        email_confirmed=False,
        time_zone="UTC",
        notifications={},
        vacation_since=None,
        vacation_until=None,
        is_active=False,
        is_staff=False,
        is_superuser=False,
        last_login=None,
        owner=None,
        deleted_at=timezone.now(),
    )
