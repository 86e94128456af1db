"""The analysis of a match that is over: how far it is, and what was found, piece by piece."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from games.matches.models.match import Match


class Analysis(models.Model):
    """One analysis of a match. `round_number` and `entry` are where it goes on, `wake_at` when.

    `attempts` counts how often somebody has begun a piece that was not kept; after some the analysis has
    failed.
    """

    match = models.OneToOneField(Match, primary_key=True, on_delete=models.CASCADE, related_name="analysis")
    total = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    round_number = models.PositiveSmallIntegerField(default=1)
    entry = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    failed = models.BooleanField(default=False)
    begun_at = models.DateTimeField(db_default=Now())
    wake_at = models.DateTimeField(null=True)

    class Meta:
        """What is left to do is found by an index that holds nothing else."""

        verbose_name_plural = "analyses"
        indexes: ClassVar = [
            models.Index(
                name="analysis_goes_on", fields=["wake_at"], condition=models.Q(wake_at__isnull=False)
            )
        ]

    def __str__(self) -> str:
        """Name its match."""
        return f"analysis of {self.match_id}"


class AnalysedPiece(models.Model):
    """Some decisions after each other, looked at in one go. `first` is how many there were before them."""

    # Found by `analysed_piece_once`.
    analysis = models.ForeignKey(Analysis, on_delete=models.CASCADE, related_name="pieces", db_index=False)
    first = models.PositiveIntegerField()
    decisions = models.JSONField()

    class Meta:
        """No decision is kept twice."""

        constraints: ClassVar = [
            models.UniqueConstraint(name="analysed_piece_once", fields=["analysis", "first"])
        ]

    def __str__(self) -> str:
        """Name it."""
        return f"{self.analysis_id}: decisions from {self.first}"
