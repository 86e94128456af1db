"""The log of a match: one row for every public event, without gaps. The state of a match is its fold."""

from typing import ClassVar

from django.db import models

from games.models.match import Match


class EventType(models.TextChoices):
    """What can happen."""

    JOINED = "joined"
    LEFT = "left"
    INVITED = "invited"
    DECLINED = "declined"
    STARTED = "started"
    PLAY = "play"
    PASS = "pass"  # noqa: S105 -- a move, no password
    BET = "bet"
    AWARD = "award"
    RESIGNED = "resigned"
    CARETAKER = "caretaker"
    RECLAIMED = "reclaimed"
    PAUSE_ASKED = "pause_asked"
    PAUSED = "paused"
    RESUME_ASKED = "resume_asked"
    RESUMED = "resumed"
    EXTENDED = "extended"
    SEAT_CHANGED = "seat_changed"
    CANCELLED = "cancelled"
    ANNULLED = "annulled"


class Actor(models.TextChoices):
    """Who did it."""

    PLAYER = "player"
    CLOCK = "clock"
    AI = "ai"
    CARETAKER = "caretaker"
    OPERATOR = "operator"


class Move(models.Model):
    """One event, whole: `entry` is what clients are given, what it brought about included. Never changed.

    Anything a public event may not show is not in the log. `written_in` is the transaction that wrote the
    row, which PostgreSQL fills in by itself: by it a reader of many matches knows what was committed since
    (`games/selectors/moments.py`). SQLite has one writer at a time and needs none.
    """

    # Found by `move_version_once_a_match`.
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="moves", db_index=False)
    version = models.PositiveIntegerField()
    round_number = models.PositiveSmallIntegerField(null=True)
    type = models.CharField(max_length=12, choices=EventType)
    seat = models.PositiveSmallIntegerField(null=True)
    by = models.CharField(max_length=9, choices=Actor)
    at = models.DateTimeField()
    entry = models.JSONField()
    written_in = models.BigIntegerField(null=True, editable=False)

    class Meta:
        """Each version of a match stands in the log once."""

        constraints: ClassVar = [
            models.UniqueConstraint(name="move_version_once_a_match", fields=["match", "version"]),
            models.CheckConstraint(name="move_type_is_known", condition=models.Q(type__in=EventType.values)),
            models.CheckConstraint(name="move_actor_is_known", condition=models.Q(by__in=Actor.values)),
            models.CheckConstraint(name="move_version_counts_from_one", condition=models.Q(version__gte=1)),
        ]

    def __str__(self) -> str:
        """Name it."""
        return f"{self.match_id}@{self.version}"
