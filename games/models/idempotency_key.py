"""The answer to a request that may be sent twice, kept so that it is given again."""

import json
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models.functions import Now

LONGEST_KEY: Final = 255

if TYPE_CHECKING:
    AnyText = models.TextField[Any, Any]
else:
    AnyText = models.TextField


class JsonAsWritten(AnyText):
    """JSON kept as text: it comes back with its members in their order, and is never searched."""

    if TYPE_CHECKING:  # for the plugin of the type checker: what it takes and gives is not text
        _pyi_private_set_type: Any
        _pyi_private_get_type: Any

    def get_prep_value(self, value: object) -> str:
        """Write it."""
        return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))

    def from_db_value(self, value: str | None, *_: object) -> object:
        """Read it."""
        return None if value is None else json.loads(value)


class IdempotencyKey(models.Model):
    """One key of one player for one address. `status` is 0 only within the transaction that is answering."""

    # Found by `idempotency_key_once`.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    method = models.CharField(max_length=8)
    path = models.CharField(max_length=200)
    key = models.CharField(max_length=LONGEST_KEY)
    body_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    body = JsonAsWritten(default=None)
    location = models.CharField(max_length=200, blank=True, default="", db_default="")
    created = models.DateTimeField(db_default=Now())

    class Meta:
        """A key is used once; a second request with it waits in the database for the first."""

        verbose_name = "idempotency key"
        verbose_name_plural = "idempotency keys"
        constraints: ClassVar = [
            models.UniqueConstraint(name="idempotency_key_once", fields=["player", "method", "path", "key"]),
        ]
        indexes: ClassVar = [models.Index(fields=["created"], name="idempotency_key_by_age")]

    def __str__(self) -> str:
        """Name the request, not its answer."""
        return f"{self.method} {self.path} of player {self.player_id}"
