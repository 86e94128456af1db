"""Webhooks, deliveries, notices and devices."""

import secrets
from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar, Final, NamedTuple

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.core.secrets import Secret, SecretJSONField
from games.matches.models.log import DeliveryStatus, NoticeChannel, NoticeKind
from games.matches.models.match import Match

MAX_URL_LENGTH: Final = 500
MAX_DESCRIPTION_LENGTH: Final = 100


def new_webhook_id() -> str:
    """An id that tells nothing."""
    return f"wh_{secrets.token_hex(8)}"


class StopReason(models.TextChoices):
    """Why the service sends nothing more to an endpoint."""

    FAILING = "failing"
    GONE = "gone"


class RetiredSecret(NamedTuple):
    """A secret that another has taken the place of, and until when it signs too."""

    secret: Secret[str]
    until: datetime


class Webhook(models.Model):
    """One endpoint. Without a `match` it is told of all that its player sits in or is asked to.

    `types` is empty for everything, else the types with spaces around each, as `LIKE` finds them. While
    somebody sends to it, or after a failure, it is left alone until `rests_until`; `failing_since` is when
    deliveries began to fail without one that arrived.
    """

    public_id = models.CharField(max_length=20, unique=True, default=new_webhook_id, editable=False)
    # Found by `webhook_of_player`.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks", db_index=False
    )
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=MAX_URL_LENGTH)
    description = models.CharField(max_length=MAX_DESCRIPTION_LENGTH, blank=True, default="")
    types = models.CharField(max_length=400, blank=True, default="")
    secret = SecretJSONField()
    # What `old_secrets_at` reads.
    old_secrets = SecretJSONField(null=True)

    active = models.BooleanField(default=True)
    stopped_because = models.CharField(max_length=8, choices=StopReason, blank=True, default="")
    stopped_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    failures = models.PositiveIntegerField(default=0)
    rests_until = models.DateTimeField(null=True)
    served_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        """Whoever stops an endpoint says why."""

        constraints: ClassVar = [
            models.CheckConstraint(
                name="webhook_stopped_for_a_reason",
                condition=Q(stopped_because="")
                | Q(stopped_because__in=StopReason.values, active=False, stopped_at__isnull=False),
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="webhook_of_player", fields=["player", "-created_at"]),
        ]

    def __str__(self) -> str:
        """Name it; its address may hold something that is nobody's business."""
        return f"{self.public_id} of player {self.player_id}"

    def old_secrets_at(self, now: datetime) -> tuple[RetiredSecret, ...]:
        """The secrets before the present one that sign too at this moment, the latest first."""
        kept = [] if self.old_secrets is None else self.old_secrets.reveal()
        old = (RetiredSecret(Secret(secret), datetime.fromisoformat(until)) for secret, until in kept)
        return tuple(each for each in old if each.until > now)

    def keep_old_secrets(self, old: Iterable[RetiredSecret]) -> None:
        """Have these sign too."""
        kept = [(each.secret.reveal(), each.until.isoformat()) for each in old]
        self.old_secrets = Secret(kept) if kept else None

    @property
    def selection(self) -> list[str] | None:
        """The types it asks for; None for all."""
        return self.types.split() or None


def format_types(types: Iterable[str] | None) -> str:
    """The types as they are stored.

    >>> written_types(["match_end", "play", "play"])
    ' match_end play '
    """
    return f" {' '.join(sorted(set(types)))} " if types else ""


class Delivery(models.Model):
    """One event for one endpoint, written in the transaction of the event itself.

    It names the entry of the log and does not repeat it; without a match it is a test. `public_id` is the id
    that receivers see, the same however often it is sent. `due_at` is when it is to be tried next. Of the
    receiver's answers only status and time are kept.
    """

    public_id = models.CharField(max_length=36, unique=True)
    # Found by `delivery_of_webhook`.
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="+", db_index=False)
    version = models.PositiveIntegerField(null=True)
    type = models.CharField(max_length=12)
    status = models.CharField(max_length=9, choices=DeliveryStatus, default=DeliveryStatus.PENDING)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True)
    tried = models.PositiveSmallIntegerField(default=0)
    attempts: "models.JSONField[Any, Any]" = models.JSONField(default=list)

    class Meta:
        """What is due is found by time, and for one endpoint; those indexes hold what is outstanding."""

        verbose_name_plural = "deliveries"
        constraints: ClassVar = [
            models.CheckConstraint(
                name="delivery_status_is_known", condition=Q(status__in=DeliveryStatus.values)
            ),
            models.CheckConstraint(
                name="delivery_is_due_while_pending",
                condition=Q(status=DeliveryStatus.PENDING, due_at__isnull=False)
                | ~Q(status=DeliveryStatus.PENDING) & Q(due_at=None),
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="delivery_due", fields=["due_at"], condition=Q(due_at__isnull=False)),
            models.Index(
                name="delivery_due_at_webhook",
                fields=["webhook", "due_at"],
                condition=Q(due_at__isnull=False),
            ),
            models.Index(name="delivery_of_webhook", fields=["webhook", "-id"]),
            models.Index(name="delivery_by_age", fields=["created_at"]),
            models.Index(name="delivery_of_match", fields=["match"], condition=Q(match__isnull=False)),
        ]

    def __str__(self) -> str:
        """Name it."""
        return self.public_id


class Notice(models.Model):
    """One thing to tell one player, written in the transaction of the event itself, deleted when it was told.

    `about` is the id of a match, of an endpoint or of a device. What was to be told before of the same is
    replaced, so a player is told of the latest turn, and once. Whether it is still true is looked up when it
    is due. `devices` names those that are still to be told, where others have been; null: all of them.
    """

    # Found by `notice_once`.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices", db_index=False
    )
    kind = models.CharField(max_length=16, choices=NoticeKind)
    way = models.CharField(max_length=6, choices=NoticeChannel)
    about = models.CharField(max_length=40)
    version = models.PositiveIntegerField()
    due_at = models.DateTimeField()
    tried = models.PositiveSmallIntegerField(default=0)
    devices: "models.JSONField[Any, Any]" = models.JSONField(null=True)

    class Meta:
        """One of a kind about one thing; found by time."""

        constraints: ClassVar = [
            models.UniqueConstraint(name="notice_once", fields=["player", "about", "kind", "way"]),
            models.CheckConstraint(
                name="notice_kind_is_known", condition=models.Q(kind__in=NoticeKind.values)
            ),
            models.CheckConstraint(
                name="notice_way_is_known", condition=models.Q(way__in=NoticeChannel.values)
            ),
        ]
        indexes: ClassVar = [models.Index(name="notice_due", fields=["due_at"])]

    def __str__(self) -> str:
        """Name it."""
        return f"{self.kind} of {self.about} for player {self.player_id}"


MAX_NAME_LENGTH: Final = 100
# A hexadecimal SHA-256.
_DIGEST: Final = 64


def new_device_id() -> str:
    """An id that tells nothing."""
    return f"dv_{secrets.token_hex(8)}"


class Device(models.Model):
    """One browser that lets this service tell its user something while no page of it is open (RFC 8030).

    `subscription` is the address at the push service of the browser's maker, and the keys that messages are
    encrypted for. Whoever knows the address may send there, so it is kept as a secret; `place` is its digest:
    a browser is told for one player at a time.
    """

    public_id = models.CharField(max_length=20, unique=True, default=new_device_id, editable=False)
    # Found by `device_of_player`.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="devices", db_index=False
    )
    place = models.CharField(max_length=_DIGEST, unique=True)
    subscription = SecretJSONField()
    service = models.CharField(max_length=255)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True, default="")
    told_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        """Listed by player, the newest first."""

        indexes: ClassVar = [models.Index(name="device_of_player", fields=["player", "-created_at"])]

    def __str__(self) -> str:
        """Name it; its address is nobody's business."""
        return f"{self.public_id} of player {self.player_id}"
