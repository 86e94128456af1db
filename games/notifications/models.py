"""Models of webhooks, deliveries, notices and devices."""

import secrets
from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar, Final, NamedTuple

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.core.secrets import Secret, SecretJSONField
from games.identity.app_models import Authorization
from games.matches.models.log import DeliveryStatus, NoticeChannel, NoticeKind
from games.matches.models.match import Match
from games.notices.models import MAX_TYPE_LENGTH

MAX_URL_LENGTH: Final = 500
MAX_DESCRIPTION_LENGTH: Final = 100
MAX_NAME_LENGTH: Final = 100
_SHA256_HEX_LENGTH: Final = 64


def new_webhook_id() -> str:
    """Return a random public id."""
    return f"wh_{secrets.token_hex(8)}"


class StopReason(models.TextChoices):
    """Why the service has stopped sending to an endpoint. Only operators can end a stop of theirs."""

    FAILING = "failing"
    GONE = "gone"
    OPERATOR = "operator"


class WebhookFormat(models.TextChoices):
    """What is sent to an endpoint: signed events, or lines of text for a channel of Discord."""

    STANDARD = "standard"
    DISCORD = "discord"


class RetiredSecret(NamedTuple):
    """A rotated secret, and the time until which messages are still signed with it."""

    secret: Secret[str]
    until: datetime


class Webhook(models.Model):
    """A webhook endpoint.

    Without a `match` it receives the events of all matches that its player sits in or is invited to. `types`
    is empty for all event types; otherwise each type has a space on either side, so that `LIKE` can find it.
    `rests_until` is the end of a sender's lease, or of the backoff after a failure. `failing_since` is the
    time of the first failure after the last successful delivery.
    """

    public_id = models.CharField(max_length=20, unique=True, default=new_webhook_id, editable=False)
    # The index `webhook_of_player` covers this column.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks", db_index=False
    )
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=MAX_URL_LENGTH)
    format = models.CharField(
        max_length=8,
        choices=WebhookFormat,
        default=WebhookFormat.STANDARD,
        db_default=WebhookFormat.STANDARD,
    )
    description = models.CharField(max_length=MAX_DESCRIPTION_LENGTH, blank=True, default="")
    types = models.CharField(max_length=400, blank=True, default="")
    secret = SecretJSONField()
    # Pairs of secret and expiry time; see `valid_old_secrets`.
    old_secrets = SecretJSONField(null=True)

    active = models.BooleanField(default=True)
    stopped_because = models.CharField(max_length=8, choices=StopReason, blank=True, default="")
    stopped_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    failures = models.PositiveIntegerField(default=0)
    rests_until = models.DateTimeField(null=True)
    served_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    # Of the app that created the endpoint, which is deleted with it. The partial index covers this column.
    authorization = models.ForeignKey(
        Authorization, null=True, on_delete=models.CASCADE, related_name="webhooks", db_index=False
    )

    class Meta:
        """Require a time, and `active=False`, together with a reason for stopping."""

        constraints: ClassVar = [
            models.CheckConstraint(
                name="webhook_stopped_for_a_reason",
                condition=Q(stopped_because="")
                | Q(stopped_because__in=StopReason.values, active=False, stopped_at__isnull=False),
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="webhook_of_player", fields=["player", "-created_at"]),
            models.Index(
                name="webhook_of_authorization",
                fields=["authorization"],
                condition=Q(authorization__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        """Return the id without the URL, which may contain credentials."""
        return f"{self.public_id} of player {self.player_id}"

    def valid_old_secrets(self, now: datetime) -> tuple[RetiredSecret, ...]:
        """Return the rotated secrets that have not expired yet, newest first."""
        stored = [] if self.old_secrets is None else self.old_secrets.reveal()
        old = (RetiredSecret(Secret(secret), datetime.fromisoformat(until)) for secret, until in stored)
        return tuple(each for each in old if each.until > now)

    def set_old_secrets(self, old: Iterable[RetiredSecret]) -> None:
        """Replace the rotated secrets, without saving."""
        stored = [(each.secret.reveal(), each.until.isoformat()) for each in old]
        self.old_secrets = Secret(stored) if stored else None

    @property
    def selected_types(self) -> list[str] | None:
        """The event types to send, or `None` for all."""
        return self.types.split() or None


def format_types(types: Iterable[str] | None) -> str:
    """Return the event types in the format of the column `types`.

    >>> format_types(["match_end", "play", "play"])
    ' match_end play '
    """
    return f" {' '.join(sorted(set(types)))} " if types else ""


class Delivery(models.Model):
    """One event for one endpoint, inserted in the transaction that records the event.

    The row refers to the log entry by match and version, or to a notice by its id; without either it is a
    test. `type` is the type that the endpoint asked for, and `seat` the seat of its player at the time of the
    entry. `public_id` is the id that receivers see, the same for every attempt. `due_at` is the time of the
    next attempt. Of the receiver's responses only status and duration are stored.
    """

    public_id = models.CharField(max_length=36, unique=True)
    # The index `delivery_of_webhook` covers this column.
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    match = models.ForeignKey(Match, null=True, on_delete=models.CASCADE, related_name="+", db_index=False)
    version = models.PositiveIntegerField(null=True)
    # Neither column has a constraint, which would be checked for the whole table when it is added.
    seat = models.SmallIntegerField(null=True)
    notice_id = models.BigIntegerField(null=True)
    type = models.CharField(max_length=MAX_TYPE_LENGTH)
    status = models.CharField(max_length=9, choices=DeliveryStatus, default=DeliveryStatus.PENDING)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True)
    tried = models.PositiveSmallIntegerField(default=0)
    attempts: "models.JSONField[Any, Any]" = models.JSONField(default=list)

    class Meta:
        """Index due deliveries by time and by endpoint; those indexes contain pending rows only."""

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
        """Return the public id."""
        return self.public_id


class Notice(models.Model):
    """A pending notification of one player by one channel, deleted once it is sent.

    It is inserted in the transaction that records the event. `about` is the id of a match, an endpoint or a
    device. A new notice replaces a pending one of the same kind about the same object, so a player is
    notified of the latest turn only, and once. Whether it still applies is checked when it is due. `devices`
    lists the devices still to notify if sending to some of them failed; null means all devices.
    """

    # The constraint `notice_once` has an index that starts with this column.
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
        """Allow one notice per player, object, kind and channel; index by due time."""

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
        """Return the kind, the object and the player."""
        return f"{self.kind} of {self.about} for player {self.player_id}"


class NoticeResult(models.TextChoices):
    """The result of an attempt to send a notice."""

    SENT = "sent"
    RETRYING = "retrying"
    FAILED = "failed"


class NoticeAttempt(models.Model):
    """An attempt to send a notice, for its player to see. It has no content.

    A mail has one row for each of its notices. `response` is the HTTP status of the push service, and null if
    there was no response, or for mails. `device` is the id of a device that may have been removed since.
    """

    # The index `notice_attempt_of_player` covers this column.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    kind = models.CharField(max_length=16, choices=NoticeKind)
    channel = models.CharField(max_length=6, choices=NoticeChannel)
    about = models.CharField(max_length=40)
    device = models.CharField(max_length=20, blank=True, default="")
    result = models.CharField(max_length=8, choices=NoticeResult)
    response = models.PositiveSmallIntegerField(null=True)
    at = models.DateTimeField()

    class Meta:
        """Index attempts by player, latest first, and by age."""

        constraints: ClassVar = [
            models.CheckConstraint(
                name="notice_attempt_result_is_known", condition=Q(result__in=NoticeResult.values)
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="notice_attempt_of_player", fields=["player", "-id"]),
            models.Index(name="notice_attempt_by_age", fields=["at"]),
        ]

    def __str__(self) -> str:
        """Return the kind, the channel and the result."""
        return f"{self.kind} by {self.channel} to player {self.player_id}: {self.result}"


def new_device_id() -> str:
    """Return a random public id."""
    return f"dv_{secrets.token_hex(8)}"


class Device(models.Model):
    """A browser that is subscribed to push messages (RFC 8030).

    `subscription` contains the URL at the push service of the browser's vendor and the keys that messages are
    encrypted for. The URL is a capability, so it is stored as a secret. `place` is its digest; it is unique,
    because a browser receives the messages of one player at a time.
    """

    public_id = models.CharField(max_length=20, unique=True, default=new_device_id, editable=False)
    # The index `device_of_player` covers this column.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="devices", db_index=False
    )
    place = models.CharField(max_length=_SHA256_HEX_LENGTH, unique=True)
    subscription = SecretJSONField()
    service = models.CharField(max_length=255)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True, default="")
    told_at = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        """Index devices by player, newest first."""

        indexes: ClassVar = [models.Index(name="device_of_player", fields=["player", "-created_at"])]

    def __str__(self) -> str:
        """Return the id without the subscription URL, which is secret."""
        return f"{self.public_id} of player {self.player_id}"
