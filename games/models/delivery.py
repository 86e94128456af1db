"""The outbox of webhooks: what is to be sent to whom, and how that went."""

from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from games.models.match import Match
from games.models.webhook import Webhook


class DeliveryStatus(models.TextChoices):
    """What has become of it."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


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
