"""Models of match analyses, their progress and results, and of turns at which an AI failed."""

from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from games.matches.models.match import Match


class Analysis(models.Model):
    """The analysis of a match. It continues at `round_number` and `entry` when `wake_at` is reached.

    `player` has requested it. The players take turns: `place` is one more than the last place of the waiting
    analyses of that player, but not before the first place of all.

    `attempts` counts the consecutive attempts at a chunk that were not completed; after too many the analysis
    has failed.
    """

    match = models.OneToOneField(Match, primary_key=True, on_delete=models.CASCADE, related_name="analysis")
    # Indexed by `analysis_of_player`.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )
    place = models.PositiveBigIntegerField(default=0, db_default=0)
    total = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    round_number = models.PositiveSmallIntegerField(default=1)
    entry = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    failed = models.BooleanField(default=False)
    begun_at = models.DateTimeField(db_default=Now())
    wake_at = models.DateTimeField(null=True)

    class Meta:
        """The partial indexes contain only unfinished analyses."""

        verbose_name_plural = "analyses"
        indexes: ClassVar = [
            models.Index(
                name="analysis_goes_on",
                fields=["place", "wake_at"],
                condition=models.Q(wake_at__isnull=False),
            ),
            models.Index(
                name="analysis_of_player",
                fields=["player", "place"],
                condition=models.Q(wake_at__isnull=False),
            ),
            models.Index(name="analysis_by_age", fields=["begun_at"]),
        ]

    def __str__(self) -> str:
        """Return a label with the id of the match."""
        return f"analysis of {self.match_id}"


class AnalysedPiece(models.Model):
    """Consecutive decisions analysed in one chunk. `first` is the number of decisions before them."""

    # The constraint `analysed_piece_once` already creates an index.
    analysis = models.ForeignKey(Analysis, on_delete=models.CASCADE, related_name="pieces", db_index=False)
    first = models.PositiveIntegerField()
    decisions = models.JSONField()

    class Meta:
        """The constraint prevents storing a decision twice."""

        constraints: ClassVar = [
            models.UniqueConstraint(name="analysed_piece_once", fields=["analysis", "first"])
        ]

    def __str__(self) -> str:
        """Return a label with the id of the match and the position."""
        return f"{self.analysis_id}: decisions from {self.first}"


MAX_PLACE_LENGTH: Final = 120


class AttemptOutcome(models.TextChoices):
    """How an attempt at a turn ended that did not lead to a move of the AI."""

    FAILED = "failed"
    INTERRUPTED = "interrupted"
    FALLBACK = "fallback"


class TurnAttempt(models.Model):
    """An attempt at the turn after `version` of a match at which an AI failed, or a fallback move.

    `error` is the type of the error and `place` where it was raised. Its message is not stored, because it
    may contain cards.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+", db_index=False)
    version = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    level = models.CharField(max_length=16)
    attempt = models.PositiveSmallIntegerField()
    outcome = models.CharField(max_length=11, choices=AttemptOutcome)
    error = models.CharField(max_length=64, blank=True, default="")
    place = models.CharField(max_length=MAX_PLACE_LENGTH, blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        """The indexes are for the page of a match, and for deleting old rows."""

        default_permissions = ()
        constraints: ClassVar = [
            models.CheckConstraint(
                name="turn_attempt_outcome_is_known",
                condition=models.Q(outcome__in=AttemptOutcome.values),
            )
        ]
        indexes: ClassVar = [
            models.Index(name="turn_attempt_of_match", fields=["match", "-id"]),
            models.Index(name="turn_attempt_by_age", fields=["at"]),
        ]

    def __str__(self) -> str:
        """Return the match, its version and the outcome."""
        return f"{self.match_id}@{self.version}: {self.outcome}"
