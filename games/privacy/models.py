"""Archives of what is stored about a player."""

import secrets
from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

_FILE_BYTES: Final = 24


def new_export_id() -> str:
    """Return a random public id."""
    return f"ex_{secrets.token_hex(8)}"


def new_file_name() -> str:
    """Return a file name that nobody can guess."""
    return f"{secrets.token_urlsafe(_FILE_BYTES)}.zip"


class PersonalExport(models.Model):
    """The request of a player for an archive of their data, and then the archive.

    `wake_at` is when a worker may write it, and null once nothing is left to do; without `ready_at` it has
    failed then. The row and the file `file` are deleted when they expire, and with the account.
    """

    public_id = models.CharField(max_length=20, unique=True, default=new_export_id, editable=False)
    # The index `personal_export_of_player` covers this column.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    requested_at = models.DateTimeField(db_default=Now())
    wake_at = models.DateTimeField(null=True, db_default=Now())
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    file = models.CharField(max_length=60, unique=True, default=new_file_name, editable=False)
    ready_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    size = models.PositiveBigIntegerField(default=0, db_default=0)
    sha256 = models.CharField(max_length=64, blank=True, default="", db_default="")

    class Meta:
        """Index archives by player, latest first; the partial index contains only unfinished ones."""

        indexes: ClassVar = [
            models.Index(name="personal_export_of_player", fields=["player", "-id"]),
            models.Index(
                name="personal_export_waits", fields=["wake_at"], condition=models.Q(wake_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        """Return the public id and the player."""
        return f"{self.public_id} of player {self.player_id}"

    @property
    def status(self) -> str:
        """`pending`, `running`, `ready` or `failed`."""
        if self.wake_at is not None:
            return "running" if self.attempts else "pending"
        return "failed" if self.ready_at is None else "ready"
