"""Devices as their player sees them."""

from typing import Any

from django.db.models import QuerySet

from games.errors import Problem
from games.models import Device, Player
from games.times import rfc3339

Form = dict[str, Any]


def devices_of(player: Player) -> QuerySet[Device]:
    """The devices of a player."""
    return Device.objects.filter(player=player)


def my_device(player: Player, device_id: str) -> Device:
    """One of a player's devices, or 404."""
    found = devices_of(player).filter(public_id=device_id).first()
    if found is None:
        raise Problem("not_found")
    return found


def device_form(device: Device) -> Form:
    """A device, without where it is reached and what messages to it are encrypted for."""
    return {
        "id": device.public_id,
        "name": device.name,
        "service": device.service,
        "told_at": rfc3339(device.told_at),
        "failing_since": rfc3339(device.failing_since),
        "created": rfc3339(device.created_at),
    }
