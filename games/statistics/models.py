"""Statistics of players, and the matches that they count."""

from typing import ClassVar, Final

from django.conf import settings
from django.db import models

from games.matches.models.match import Match

# The values of the filters of rows that are not limited to a rule set or a number of players.
ALL_RULE_SETS: Final = ""
ALL_TABLE_SIZES: Final = 0


class CountedMatch(models.Model):
    """A match that the statistics count, with what it contributes. The ids give the order of streaks.

    `tallies` has one object for each seat of a player (`games.statistics.tallies`).
    """

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="counted_match")
    tallies = models.JSONField()

    def __str__(self) -> str:
        """Return the id of the match."""
        return str(self.match_id)


class PlayerStatistics(models.Model):
    """The statistics of a player over some of their matches, summed so that a response reads one row.

    There is a row for every combination of filters: rule set or all, number of players or all,
    opponent or all (the player themself). `public_only` rows count public matches, the others all of them.
    `margin_halves` are half points, because a margin is over the mean of two opponents.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="statistics", db_index=False
    )
    opponent = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    public_only = models.BooleanField()
    ruleset = models.CharField(max_length=32, blank=True)
    players = models.PositiveSmallIntegerField()

    matches = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    abandoned = models.PositiveIntegerField(default=0)
    rounds = models.PositiveIntegerField(default=0)
    out_first = models.PositiveIntegerField(default=0)
    margin_halves = models.BigIntegerField(default=0)
    bets = models.PositiveIntegerField(default=0)
    bets_won = models.PositiveIntegerField(default=0)
    bet_points = models.PositiveBigIntegerField(default=0)
    bombs = models.JSONField(default=list)
    streak = models.PositiveIntegerField(default=0)
    best_streak = models.PositiveIntegerField(default=0)
    longest_run = models.PositiveSmallIntegerField(default=0)
    longest_stair = models.PositiveSmallIntegerField(default=0)

    class Meta:
        """The unique constraint serves every read."""

        verbose_name_plural = "player statistics"
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="player_statistics_once",
                fields=["player", "opponent", "ruleset", "players", "public_only"],
            ),
        ]

    def __str__(self) -> str:
        """Return a short name for logs."""
        return f"{self.player_id}/{self.opponent_id}/{self.ruleset}/{self.players}"
