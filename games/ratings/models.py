"""Ratings of players, the matches that they are computed from, and their history."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.identity.models import PlayerKind
from games.matches.models.match import Match


class RatingSkip(models.TextChoices):
    """Why a finished rated match does not change ratings."""

    NOTHING = ""
    SAME_OPPONENTS = "same_opponents"
    ANNULLED = "annulled"
    NOT_POSSIBLE = "not_possible"


class RatingPool(models.Model):
    """A pool (`games.ratings.pools`): its last sequence number, and the mean skill of its settled players."""

    kind = models.CharField(max_length=5, choices=PlayerKind)
    ruleset = models.CharField(max_length=32)
    players = models.PositiveSmallIntegerField()
    last_sequence = models.PositiveBigIntegerField(default=0)
    mean_skill = models.FloatField(default=0.0)
    measured_at = models.DateTimeField(null=True)

    class Meta:
        """A pool has one row."""

        constraints: ClassVar = [
            models.UniqueConstraint(name="rating_pool_once", fields=["kind", "ruleset", "players"])
        ]

    def __str__(self) -> str:
        """Return a short name for logs."""
        return f"{self.kind}/{self.ruleset}-{self.players}"


class RatedMatch(models.Model):
    """A finished match that the rater has seen, with what counts of it.

    `sequence` is its place in the order of its pool. `seats` has the player, place and points of each seat,
    `rounds` is the number of scored rounds that all players played themselves.
    """

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="rated_match")
    kind = models.CharField(max_length=5, choices=PlayerKind)
    ruleset = models.CharField(max_length=32)
    players = models.PositiveSmallIntegerField()
    sequence = models.PositiveBigIntegerField()
    at = models.DateTimeField()
    seats = models.JSONField()
    rounds = models.PositiveSmallIntegerField()
    skipped = models.CharField(max_length=16, choices=RatingSkip, blank=True, default="", db_default="")

    class Meta:
        """Each place in the order of a pool is taken once."""

        verbose_name_plural = "rated matches"
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="rated_match_sequence_once_a_pool", fields=["kind", "ruleset", "players", "sequence"]
            ),
            models.CheckConstraint(
                name="rated_match_skip_is_known", condition=Q(skipped__in=RatingSkip.values)
            ),
        ]

    def __str__(self) -> str:
        """Return the id of the match."""
        return str(self.match_id)


class PlayerRating(models.Model):
    """The rating and the skill of a player in a pool after their last match there.

    `rating` is `mu` as published. `opponents` has the ids of the first different opponents, as many as the
    leaderboard requires. Without another match the rating is settled until `settled_until`, and on the
    leaderboard until `ranked_until`; null means not at all.
    """

    # Indexed by `player_rating_once_a_pool`.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings", db_index=False
    )
    kind = models.CharField(max_length=5, choices=PlayerKind)
    ruleset = models.CharField(max_length=32)
    players = models.PositiveSmallIntegerField()
    mu = models.FloatField()
    sigma = models.FloatField()
    rating = models.IntegerField()
    skill = models.FloatField()
    skill_variance = models.FloatField()
    rounds = models.PositiveIntegerField()
    matches = models.PositiveIntegerField()
    won = models.PositiveIntegerField()
    opponents = models.JSONField(default=list)
    rated_at = models.DateTimeField()
    settled_until = models.DateTimeField()
    ranked_until = models.DateTimeField(null=True)

    class Meta:
        """One row for each player and pool; an index in the order of the leaderboard."""

        constraints: ClassVar = [
            models.UniqueConstraint(
                name="player_rating_once_a_pool", fields=["player", "kind", "ruleset", "players"]
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="player_rating_by_rank",
                fields=["kind", "ruleset", "players", "-rating", "id"],
                condition=Q(ranked_until__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        """Return a short name for logs."""
        return f"{self.player_id}/{self.ruleset}-{self.players}"


class RatingChange(models.Model):
    """The rating of a player after a match. `sequence` and `at` are those of the match."""

    # Indexed by `rating_change_once_a_match`.
    rated_match = models.ForeignKey(
        RatedMatch, on_delete=models.CASCADE, related_name="changes", db_index=False
    )
    # Indexed by `rating_change_in_order`.
    player_rating = models.ForeignKey(
        PlayerRating, on_delete=models.CASCADE, related_name="changes", db_index=False
    )
    sequence = models.PositiveBigIntegerField()
    at = models.DateTimeField()
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        """One row for each player and match; the history of a player is read in order."""

        constraints: ClassVar = [
            models.UniqueConstraint(
                name="rating_change_once_a_match", fields=["rated_match", "player_rating"]
            ),
            models.UniqueConstraint(name="rating_change_in_order", fields=["player_rating", "sequence"]),
        ]

    def __str__(self) -> str:
        """Return a short name for logs."""
        return f"{self.player_rating_id}@{self.sequence}"
