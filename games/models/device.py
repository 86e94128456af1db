"""A browser on which a player is told things."""

import secrets
from typing import ClassVar, Final

from django.conf import settings
from django.db import models

from games.models.secrets import SecretJSONField

LONGEST_NAME: Final = 100
# A hexadecimal SHA-256.
_DIGEST: Final = 64


def new_device_id() -> str:
    """An id that tells nothing."""
    return f"dv_{secrets.token_hex(8)}"


class Device(models.Model):
    """One browser that lets this service tell its user something while no page of it is open (RFC 8030).

    `subscription` is the address at the push service of the browser's maker, and the keys that messages are
    encrypted for. Whoever knows the address may send there, so it is kept as a secret; `place` is its digest:
    a browser is told for one player at a time.
    """

    public_id = models.CharField(max_length=20, unique=True, default=new_device_id, editable=False)
    # Found by `device_of_player`.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="devices", db_index=False
    )
    place = models.CharField(max_length=_DIGEST, unique=True)
    subscription = SecretJSONField()
    service = models.CharField(max_length=255)
    name = models.CharField(max_length=LONGEST_NAME, blank=True, default="")
    told_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        """Listed by player, the newest first."""

        indexes: ClassVar = [models.Index(name="device_of_player", fields=["player", "-created_at"])]

    def __str__(self) -> str:
        """Name it; its address is nobody's business."""
        return f"{self.public_id} of player {self.player_id}"
