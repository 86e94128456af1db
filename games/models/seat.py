"""A seat at a match: who holds it, and what stands for it until the match is over."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.match import Match


class SeatState(models.TextChoices):
    """Who acts for a seat."""

    OPEN = "open"
    INVITED = "invited"
    DECLINED = "declined"
    PLAYING = "playing"
    CARETAKER = "caretaker"
    RESIGNED = "resigned"


class Asks(models.TextChoices):
    """What a player has asked the others for, until all agree."""

    NOTHING = ""
    PAUSE = "pause"
    RESUME = "resume"


class Seat(models.Model):
    """One seat. An AI seat has a `level` and no player; any other has a player once one is asked or sits.

    `standing_trick` names the trick that its player has ordered to pass in (`round/trick/own plays in it`),
    and is nobody else's to know. `time_bank_left` is what the turns so far have left of it, in seconds;
    `timeouts` counts the turns in a row that the clock has taken.
    `imported_name` is who sat there where the match was played elsewhere:
    nobody's account here, whoever is called so.
    """

    # Found by `seat_number_once_a_match`.
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=9, choices=SeatState, default=SeatState.OPEN)
    # Found by `seat_of_player`.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="seats", db_index=False
    )
    level = models.CharField(max_length=16, blank=True, default="")
    client_seed = models.CharField(max_length=64, blank=True, default="")
    time_bank_left = models.PositiveIntegerField(default=0)
    timeouts = models.PositiveSmallIntegerField(default=0)
    standing_trick = models.CharField(max_length=16, blank=True, default="")
    asks = models.CharField(max_length=6, choices=Asks, blank=True, default="", db_default="")
    live = models.BooleanField(default=True)
    imported_name = models.CharField(max_length=255, blank=True, default="", db_default="")
    joined_at = models.DateTimeField(null=True)

    class Meta:
        """A seat is held once, and nobody holds two at one match."""

        constraints: ClassVar = [
            models.UniqueConstraint(name="seat_number_once_a_match", fields=["match", "number"]),
            models.UniqueConstraint(
                name="seat_player_once_a_match", fields=["match", "player"], condition=Q(player__isnull=False)
            ),
            models.CheckConstraint(name="seat_state_is_known", condition=Q(state__in=SeatState.values)),
            models.CheckConstraint(name="seat_asks_what_is_known", condition=Q(asks__in=Asks.values)),
            models.CheckConstraint(
                name="seat_is_held_by_one",
                condition=Q(state=SeatState.OPEN, player=None, level="")
                | Q(state=SeatState.PLAYING, player=None) & ~Q(level="")
                | Q(state__in=(SeatState.PLAYING, SeatState.RESIGNED), player=None, level="")
                & ~Q(imported_name="")
                | Q(player__isnull=False, level="") & ~Q(state=SeatState.OPEN),
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="seat_running_of_player",
                fields=["player", "match"],
                condition=Q(live=True, player__isnull=False),
            ),
            models.Index(
                name="seat_with_standing_order",
                fields=["match"],
                condition=Q(live=True) & ~Q(standing_trick=""),
            ),
            models.Index(
                name="seat_of_player", fields=["player", "-match"], condition=Q(player__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        """Name it."""
        return f"{self.match_id}/{self.number}"
