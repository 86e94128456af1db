"""Models of puzzles and of the players' first answers to them."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from games.core.secrets import SecretJSONField


class PuzzleSource(models.TextChoices):
    """Where the decision of a puzzle comes from."""

    SHIPPED = "shipped"
    SELF_PLAY = "self_play"
    MATCH = "match"


class Puzzle(models.Model):
    """A puzzle. `document` is a `PuzzleDocument`: it contains the solution.

    No player and no match is stored with it. `daily_on` is the last day (UTC) on which it was the daily
    puzzle. `answered` counts the players who have answered it, `solved` those whose first answer was best.
    """

    id = models.CharField(primary_key=True, max_length=32)
    ruleset = models.CharField(max_length=32)
    players = models.PositiveSmallIntegerField()
    source = models.CharField(max_length=9, choices=PuzzleSource)
    document = SecretJSONField()
    created_at = models.DateTimeField(db_default=Now())
    daily_on = models.DateField(null=True, unique=True)
    answered = models.PositiveIntegerField(default=0, db_default=0)
    solved = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        """Constraints: the source is known, and nobody has solved a puzzle without answering it."""

        constraints: ClassVar = [
            models.CheckConstraint(
                name="puzzle_source_is_known", condition=Q(source__in=PuzzleSource.values)
            ),
            models.CheckConstraint(name="puzzle_solved_by_some", condition=Q(solved__lte=F("answered"))),
        ]

    def __str__(self) -> str:
        """Return the id."""
        return self.id


class PuzzleAnswer(models.Model):
    """The first answer of a player to a puzzle, and whether any answer of theirs was best."""

    # Indexed by `puzzle_answered_once`.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_answers", db_index=False
    )
    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="answers")
    best_at_first = models.BooleanField()
    solved = models.BooleanField()
    answered_at = models.DateTimeField(db_default=Now())

    class Meta:
        """Constraints: one row for each player and puzzle."""

        constraints: ClassVar = [
            models.UniqueConstraint(name="puzzle_answered_once", fields=["player", "puzzle"])
        ]

    def __str__(self) -> str:
        """Return a label for logs and the admin."""
        return f"{self.puzzle_id} by {self.player_id}"
