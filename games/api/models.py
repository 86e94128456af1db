"""The table of idempotency keys with the stored responses."""

from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from games.core.compact_json import OrderedJSONField

MAX_KEY_LENGTH: Final = 255


class IdempotencyKey(models.Model):
    """A key of one player for one method and path, with the stored response.

    `status` is 0 only within the transaction that handles the first request.
    """

    # The unique constraint `idempotency_key_once` is the index for this column.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    method = models.CharField(max_length=8)
    path = models.CharField(max_length=200)
    key = models.CharField(max_length=MAX_KEY_LENGTH)
    body_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    body = OrderedJSONField(default=None)
    location = models.CharField(max_length=200, blank=True, default="", db_default="")
    created = models.DateTimeField(db_default=Now())

    class Meta:
        """Allow each key once: a concurrent insert of the same key waits for the first one."""

        verbose_name = "idempotency key"
        verbose_name_plural = "idempotency keys"
        constraints: ClassVar = [
            models.UniqueConstraint(name="idempotency_key_once", fields=["player", "method", "path", "key"]),
        ]
        indexes: ClassVar = [models.Index(fields=["created"], name="idempotency_key_by_age")]

    def __str__(self) -> str:
        """Return the request without the key or the response, which may be confidential."""
        return f"{self.method} {self.path} of player {self.player_id}"
