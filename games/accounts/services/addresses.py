"""Compare the network addresses of accounts, and block those of banned guests for a while.

Only keyed hashes of addresses are stored, and only for a while, so that they can be compared but not shown.
"""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.db.models import Count, Max
from django.utils import timezone

from games.accounts.models import BlockedAddress, KnownDevice
from games.accounts.services.attempts import address_digest
from games.core.errors import Problem
from games.core.languages import message
from games.core.times import format_time
from games.identity.models import Player

# Addresses are compared for this long after their last use, since most are given to others later.
COMPARED_PERIOD: Final = timedelta(days=90)
MAX_SHARED_ACCOUNTS: Final = 50


class SharedAddress(NamedTuple):
    """An account that was used from the same addresses as another one."""

    player: Player
    addresses: int
    last_seen: datetime


def accounts_at_same_addresses(player: Player) -> list[SharedAddress]:
    """Return the other accounts that were used from an address of this one, most shared addresses first."""
    since = timezone.now() - COMPARED_PERIOD
    recent = KnownDevice.objects.filter(last_seen__gt=since)
    addresses = recent.filter(player=player).values("address")
    shared = (
        recent.filter(address__in=addresses)
        .exclude(player=player)
        .values("player_id")
        .annotate(addresses=Count("address", distinct=True), last=Max("last_seen"))
        .order_by("-addresses", "-last")[:MAX_SHARED_ACCOUNTS]
    )
    rows = list(shared)
    players = Player.objects.in_bulk([row["player_id"] for row in rows])
    return [SharedAddress(players[row["player_id"]], row["addresses"], row["last"]) for row in rows]


def block_addresses(*, player: Player, until: datetime) -> int:
    """Refuse new guests from the addresses of a guest until this time; return the number of addresses.

    Others behind the same address are refused too, so registering and logging in stay possible.
    """
    addresses = set(KnownDevice.objects.filter(player=player).values_list("address", flat=True))
    rows = [BlockedAddress(address=address, player=player, until=until) for address in addresses]
    BlockedAddress.objects.bulk_create(
        rows, update_conflicts=True, update_fields=["until"], unique_fields=["address", "player"]
    )
    return len(rows)


def unblock_addresses(*, player: Player) -> None:
    """Accept new guests from the addresses of a guest again."""
    BlockedAddress.objects.filter(player=player).delete()


def guest_block_end(now: datetime) -> datetime | None:
    """Return until when the addresses of a guest who is banned now are blocked; `None` if they are not."""
    hours: int = settings.HAGGIS_GUEST_BAN_HOURS
    return now + timedelta(hours=hours) if hours > 0 else None


def require_unblocked(*, address: str) -> None:
    """Raise `address_blocked` if no guest can be created from this address at the moment."""
    blocked = BlockedAddress.objects.filter(address=address_digest(address), until__gt=timezone.now())
    until = blocked.aggregate(until=Max("until"))["until"]
    if until is not None:
        detail = message(
            "No guests can join from this network at the moment. Log in, register or try again later."
        )
        raise Problem("address_blocked", detail, until=format_time(until))


def delete_expired_blocks(*, now: datetime) -> int:
    """Delete blocks that have ended, and return their number."""
    deleted, _ = BlockedAddress.objects.filter(until__lte=now).delete()
    return deleted
