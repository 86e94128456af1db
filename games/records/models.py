"""The records that matches were imported from, and those that are being verified."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from games.core.compact_json import OrderedJSONField
from games.matches.models.match import Match


class ImportedRecord(models.Model):
    """The record that a match was imported from; it is public, because the match is over.

    An imported match has no `SeedChain`, because a record contains only the links of the chain.
    """

    match = models.OneToOneField(
        Match, primary_key=True, on_delete=models.CASCADE, related_name="imported_record"
    )
    record = OrderedJSONField()

    def __str__(self) -> str:
        """Return the ID of the match."""
        return str(self.match_id)


class RecordVerification(models.Model):
    """A record too large to be replayed within a request, and then the verdict on it.

    The id is the secret that gives access. `client` and `digest` are keyed hashes: of who sent the record,
    and of that and the record. The body is deleted when there is a verdict, and the row after an hour.
    `wake_at` is null once nothing is left to do; without a verdict the replay has failed.
    """

    id = models.CharField(primary_key=True, max_length=40)
    client = models.CharField(max_length=64)
    digest = models.CharField(max_length=64, unique=True)
    body = models.BinaryField(null=True)
    verdict = OrderedJSONField(default=None)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now())
    wake_at = models.DateTimeField(null=True, db_default=Now())

    class Meta:
        """The partial index contains only unfinished verifications."""

        indexes: ClassVar = [
            models.Index(
                name="verification_waits", fields=["wake_at"], condition=models.Q(wake_at__isnull=False)
            ),
            models.Index(name="verification_by_age", fields=["created_at"]),
        ]

    def __str__(self) -> str:
        """Return the status without the id, which is secret."""
        return f"{self.status} verification"

    @property
    def status(self) -> str:
        """`pending`, `running`, `finished`, or `failed` if the replay took too long."""
        if self.wake_at is not None:
            return "running" if self.attempts else "pending"
        return "failed" if self.verdict is None else "finished"
