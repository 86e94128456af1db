"""A bet: what a seat said in a round, 0 included. It stands."""

from typing import ClassVar

from django.db import models

from games.models.match import Match


class Bet(models.Model):
    """One bet of one seat in one round, whatever is asked at once."""

    # Found by `bet_once_a_seat_a_round`.
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="bets", db_index=False)
    round_number = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    amount = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField()

    class Meta:
        """One a seat a round."""

        constraints: ClassVar = [
            models.UniqueConstraint(name="bet_once_a_seat_a_round", fields=["match", "round_number", "seat"]),
            models.CheckConstraint(name="bet_amount_exists", condition=models.Q(amount__in=(0, 5, 15, 30))),
        ]

    def __str__(self) -> str:
        """Name it."""
        return f"{self.match_id}#{self.round_number}/{self.seat}: {self.amount}"
