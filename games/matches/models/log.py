"""The log of a match, its rounds, bets and snapshots, and what an event may notify of."""

from typing import ClassVar, Final

from django.db import models

from games.core.secrets import SecretBytesField, SecretJSONField
from games.matches.models.match import Match


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
    (`games/realtime/queries.py`). SQLite has one writer at a time and needs none.
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


class Round(models.Model):
    """One round. `deal` holds the hands and the haggis; `link` is published when the round has ended.

    `scores` stay null where a round was cut short. An imported round is `unproven` where its link is unknown.
    """

    # Found by `round_number_once_a_match`.
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="rounds", db_index=False)
    number = models.PositiveSmallIntegerField()
    dealer = models.PositiveSmallIntegerField(null=True)
    leader = models.PositiveSmallIntegerField()
    deal = SecretJSONField()
    first_version = models.PositiveIntegerField()
    last_version = models.PositiveIntegerField(null=True)
    ended_at = models.DateTimeField(null=True)
    link = models.CharField(max_length=64, blank=True, default="")
    unproven = models.BooleanField(default=False, db_default=False)
    out = models.JSONField(default=list)
    scores = models.JSONField(null=True)
    totals = models.JSONField(null=True)

    class Meta:
        """A round is dealt once, and its link is shown when it has ended, not before."""

        constraints: ClassVar = [
            models.UniqueConstraint(name="round_number_once_a_match", fields=["match", "number"]),
            models.CheckConstraint(
                name="round_number_has_a_link", condition=models.Q(number__range=(1, 512))
            ),
            models.CheckConstraint(
                name="round_link_shown_when_ended",
                condition=models.Q(ended_at=None, link="")
                | (models.Q(ended_at__isnull=False) & ~models.Q(link=""))
                | models.Q(ended_at__isnull=False, link="", unproven=True),
            ),
        ]

    def __str__(self) -> str:
        """Name it."""
        return f"{self.match_id}#{self.number}"


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


class Snapshot(models.Model):
    """The state of a match after its last event: the fold of the log, kept for speed only."""

    match = models.OneToOneField(Match, primary_key=True, on_delete=models.CASCADE, related_name="snapshot")
    version = models.PositiveIntegerField()
    state = SecretJSONField()

    def __str__(self) -> str:
        """Name it."""
        return f"{self.match_id}@{self.version}"


class SeedChain(models.Model):
    """The last link of a match's chain, from which every deal of the match follows."""

    match = models.OneToOneField(Match, primary_key=True, on_delete=models.CASCADE, related_name="seed_chain")
    last_link = SecretBytesField()

    def __str__(self) -> str:
        """Name it."""
        return str(self.match_id)


class DeliveryStatus(models.TextChoices):
    """What has become of it."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class NoticeKind(models.TextChoices):
    """What about."""

    INVITATION = "invitation"
    YOUR_TURN = "your_turn"
    REMINDER = "reminder"
    CARETAKER = "caretaker"
    MATCH_END = "match_end"
    WEBHOOK_STOPPED = "webhook_stopped"
    TEST = "test"


class NoticeChannel(models.TextChoices):
    """By a mail of its own, with others once a day, or by a push message to each of a player's devices."""

    EMAIL = "email"
    DIGEST = "digest"
    PUSH = "push"


# The ways that need a confirmed address.
MAIL_CHANNELS: Final = (NoticeChannel.EMAIL, NoticeChannel.DIGEST)

# What an entry of the log brings about, and that the turn is now the player's own.
EVENT_TYPES: Final = ("trick_end", "out", "round_end", "deal", "match_end")
YOUR_TURN: Final = "your_turn"
# What an endpoint may ask for: the types of entries, what stands in their `then`, and the turn.
SUBSCRIBABLE_TYPES: Final[tuple[str, ...]] = (*EventType.values, *EVENT_TYPES, YOUR_TURN)
