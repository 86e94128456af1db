"""Models of match analyses: their progress and their results."""

from typing import ClassVar

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
