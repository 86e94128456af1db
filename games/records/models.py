"""The records that matches were imported from, those that are being verified, and the published ones."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from games.core.compact_json import OrderedJSONField
from games.core.secrets import SecretBytesField
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


class Dataset(models.Model):
    """The only row of its table: the state of the published records.

    `last_number` is the number of the last published record; numbers are never used again. The key makes the
    pseudonyms of players (`games/records/pseudonyms.py`).
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    last_number = models.PositiveBigIntegerField(default=0)
    pseudonym_key = SecretBytesField()

    class Meta:
        """Constraints: one row."""

        constraints: ClassVar = [models.CheckConstraint(name="dataset_is_one", condition=models.Q(id=1))]

    def __str__(self) -> str:
        """Return a label for logs and the admin."""
        return f"data set up to {self.last_number}"


class MatchKind(models.TextChoices):
    """Who plays a match: people only, programs only (bots and AIs), or both."""

    HUMAN = "human"
    BOT = "bot"
    MIXED = "mixed"


class PublishedRecord(models.Model):
    """The record of a public finished match as it is published, with pseudonyms instead of usernames.

    `line` is a line of JSON as a segment of a deflate stream (`games/records/segments.py`), and `size` its
    length in bytes before compression. Numbers are assigned in the order in which transactions commit, so
    nobody who has seen a number can miss a lower one.
    """

    number = models.PositiveBigIntegerField(primary_key=True)
    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="published_record")
    ruleset = models.CharField(max_length=32)
    players = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=5, choices=MatchKind)
    finished_at = models.DateTimeField()
    published_at = models.DateTimeField(db_default=Now())
    size = models.PositiveIntegerField()
    line = models.BinaryField()

    class Meta:
        """Indexes for the filters of `GET /records`, and for the files of a month."""

        constraints: ClassVar = [
            models.CheckConstraint(
                name="published_record_kind_is_known", condition=models.Q(kind__in=MatchKind.values)
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="published_record_by_end", fields=["finished_at", "number"]),
            models.Index(name="published_record_by_filters", fields=["ruleset", "players", "kind", "number"]),
        ]

    def __str__(self) -> str:
        """Return the number and the ID of the match."""
        return f"{self.number}: {self.match_id}"


class FileFormat(models.TextChoices):
    """The formats of the files of the data set."""

    NDJSON = "ndjson"
    PARQUET = "parquet"
    NAMES = "names"


class DatasetFile(models.Model):
    """A file of the data set: the records of a month, or the names behind the pseudonyms.

    `wake_at` is when a worker may write it (again); meanwhile the previous file is served. `attempts` counts
    the starts since it was last written, and `fault` names the error of the last one. Without `wake_at` a
    file that has a fault waits for an operator.
    """

    name = models.CharField(max_length=64, unique=True)
    month = models.DateField(null=True)
    format = models.CharField(max_length=7, choices=FileFormat)
    wake_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    fault = models.CharField(max_length=64, blank=True, default="", db_default="")
    written_at = models.DateTimeField(null=True)
    rows = models.PositiveIntegerField(default=0, db_default=0)
    size = models.PositiveBigIntegerField(default=0, db_default=0)
    sha256 = models.CharField(max_length=64, blank=True, default="", db_default="")

    class Meta:
        """Constraints: known formats, and every file but that of the names has a month."""

        constraints: ClassVar = [
            models.CheckConstraint(
                name="dataset_file_format_is_known", condition=models.Q(format__in=FileFormat.values)
            ),
            models.CheckConstraint(
                name="dataset_file_has_month",
                condition=models.Q(format=FileFormat.NAMES, month=None)
                | (~models.Q(format=FileFormat.NAMES) & models.Q(month__isnull=False)),
            ),
        ]

    def __str__(self) -> str:
        """Return the name."""
        return self.name

    @property
    def status(self) -> str:
        """`waiting` to be written, `current`, or `failed` if an operator has to retry it."""
        if self.wake_at is not None:
            return "waiting"
        return "failed" if self.fault else "current"
