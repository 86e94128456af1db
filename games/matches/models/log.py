"""The log of a match, its rounds, bets and snapshots, and the types of notifications."""

from typing import ClassVar, Final

from django.db import models

from games.core.secrets import SecretBytesField, SecretJSONField
from games.matches.models.match import Match


class EventType(models.TextChoices):
    """The type of a log entry."""

    JOINED = "joined"
    LEFT = "left"
    INVITED = "invited"
    DECLINED = "declined"
    STARTED = "started"
    PLAY = "play"
    PASS = "pass"  # noqa: S105 -- a move, not a password
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
    """Who caused an event."""

    PLAYER = "player"
    CLOCK = "clock"
    AI = "ai"
    CARETAKER = "caretaker"
    OPERATOR = "operator"


class Move(models.Model):
    """A log entry. `entry` is the JSON that clients receive, including the events it caused; it is immutable.

    The log contains only public data. `written_in` is the id of the transaction that wrote the row, set by a
    default of PostgreSQL: readers of many matches use it to find newly committed entries
    (`games/realtime/queries.py`). SQLite has one writer at a time and does not need it.
    """

    # Indexed by `move_version_once_a_match`.
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
        """Constraints: each version of a match is unique."""

        constraints: ClassVar = [
            models.UniqueConstraint(name="move_version_once_a_match", fields=["match", "version"]),
            models.CheckConstraint(name="move_type_is_known", condition=models.Q(type__in=EventType.values)),
            models.CheckConstraint(name="move_actor_is_known", condition=models.Q(by__in=Actor.values)),
            models.CheckConstraint(name="move_version_counts_from_one", condition=models.Q(version__gte=1)),
        ]

    def __str__(self) -> str:
        """Return a short name for logs and the admin."""
        return f"{self.match_id}@{self.version}"


class Round(models.Model):
    """A round. `deal` has the hands and the haggis; `link` is published when the round has ended.

    `scores` is null if the round was abandoned. An imported round without a link is `unproven`.
    """

    # Indexed by `round_number_once_a_match`.
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
        """Constraints: rounds are unique, and the link is set exactly when the round has ended."""

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
        """Return a short name for logs and the admin."""
        return f"{self.match_id}#{self.number}"


class Bet(models.Model):
    """A bet of a seat in a round. The constraint makes concurrent requests safe."""

    # Indexed by `bet_once_a_seat_a_round`.
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="bets", db_index=False)
    round_number = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    amount = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField()

    class Meta:
        """Constraints: one bet for each seat and round."""

        constraints: ClassVar = [
            models.UniqueConstraint(name="bet_once_a_seat_a_round", fields=["match", "round_number", "seat"]),
            models.CheckConstraint(name="bet_amount_exists", condition=models.Q(amount__in=(0, 5, 15, 30))),
        ]

    def __str__(self) -> str:
        """Return a short name for logs and the admin."""
        return f"{self.match_id}#{self.round_number}/{self.seat}: {self.amount}"


class Snapshot(models.Model):
    """The state of a match after its last event, which could also be replayed from the log."""

    match = models.OneToOneField(Match, primary_key=True, on_delete=models.CASCADE, related_name="snapshot")
    version = models.PositiveIntegerField()
    state = SecretJSONField()

    def __str__(self) -> str:
        """Return a short name for logs and the admin."""
        return f"{self.match_id}@{self.version}"


class SeedChain(models.Model):
    """The last link of the seed chain of a match, which determines all its deals."""

    match = models.OneToOneField(Match, primary_key=True, on_delete=models.CASCADE, related_name="seed_chain")
    last_link = SecretBytesField()

    def __str__(self) -> str:
        """Return a short name for logs and the admin."""
        return str(self.match_id)


class DeliveryStatus(models.TextChoices):
    """The status of a delivery."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class NoticeKind(models.TextChoices):
    """The subject of a notice."""

    INVITATION = "invitation"
    YOUR_TURN = "your_turn"
    REMINDER = "reminder"
    CARETAKER = "caretaker"
    MATCH_END = "match_end"
    SEEK_MATCHED = "seek_matched"
    RATING_CHANGED = "rating_changed"
    BOARD_OPENED = "board_opened"
    BOARD_CLOSED = "board_closed"
    EXPORT_READY = "export_ready"
    SECURITY = "security"
    WEBHOOK_STOPPED = "webhook_stopped"
    TEST = "test"


class NoticeChannel(models.TextChoices):
    """How a notice is sent: a single mail, a daily digest, or a push message to each device."""

    EMAIL = "email"
    DIGEST = "digest"
    PUSH = "push"


# Channels that need a confirmed e-mail address.
MAIL_CHANNELS: Final = (NoticeChannel.EMAIL, NoticeChannel.DIGEST)

# Types of the events in `then` of a log entry, and the pseudo type for the turn of the webhook's owner.
EVENT_TYPES: Final = ("trick_end", "out", "round_end", "deal", "match_end")
YOUR_TURN: Final = "your_turn"
# The event types that a webhook can subscribe to.
SUBSCRIBABLE_TYPES: Final[tuple[str, ...]] = (*EventType.values, *EVENT_TYPES, YOUR_TURN)
