"""Devices: named by a player, taken away by them, by the push service, or when nothing arrives any more."""

import hashlib
import secrets
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from games.errors import Problem, invalid
from games.models import Device, Notice, NoticeKind, NoticeWay, Player, Secret
from games.selectors.devices import my_device
from games.services.accounts.holding import hold
from games.services.push import encrypting
from games.services.push.offering import refuse_unless_offered
from games.services.webhooks.addresses import Unusable, read_address

MOST_DEVICES: Final = 8


def add_device(*, player: Player, endpoint: str, keys: Mapping[str, str], name: str = "") -> Device:
    """Tell the player things on this browser from now on. Given again, it is the same device.

    A browser at which somebody else was told before is the player's now, and theirs no more.
    """
    refuse_unless_offered()
    _check(endpoint, keys)
    place = hashlib.sha256(endpoint.encode()).hexdigest()
    with transaction.atomic():
        hold(player)
        Device.objects.filter(place=place).exclude(player=player).delete()
        mine = Device.objects.filter(player=player)
        if not mine.filter(place=place).exists() and mine.count() >= MOST_DEVICES:
            raise Problem("limit_reached", f"You are told things on {MOST_DEVICES} devices at most.")
        told = {
            "player": player,
            "subscription": Secret({"endpoint": endpoint, "keys": dict(keys)}),
            "service": urlsplit(endpoint).hostname or "",
            "name": name,
            "failing_since": None,
        }
        created = {**told, "created_at": timezone.now()}
        device, _ = Device.objects.update_or_create(place=place, defaults=told, create_defaults=created)
    return device


def _check(endpoint: str, keys: Mapping[str, str]) -> None:
    try:
        read_address(endpoint)
        encrypting.refuse_unusable(keys)
    except Unusable as why:
        raise invalid("/endpoint", "unusable_url", str(why)) from why
    except encrypting.Unusable as why:
        raise invalid(f"/keys/{why.member}", "invalid", str(why)) from why


def remove_device(*, player: Player, device_id: str) -> None:
    """Tell nothing more on one of the player's devices."""
    my_device(player, device_id).delete()


def send_test(*, player: Player, device_id: str) -> Device:
    """Put a message into the outbox that says nothing but that it has arrived."""
    refuse_unless_offered()
    device = my_device(player, device_id)
    version = secrets.randbelow(
        2**31
    )  # another one each time: what is in hand is not forgotten with the last
    Notice.objects.update_or_create(
        player=player,
        kind=NoticeKind.TEST,
        way=NoticeWay.PUSH,
        about=device.public_id,
        defaults={"version": version, "due_at": Now(), "tried": 0, "devices": [device.public_id]},
    )
    return device


def forget_devices(*, player: Player) -> None:
    """Take away all that a player has."""
    Device.objects.filter(player=player).delete()
