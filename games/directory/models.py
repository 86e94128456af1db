"""Whom players follow."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone


class Follow(models.Model):
    """A player follows another one, who is not told."""

    # The unique constraint serves queries by follower.
    follower = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    followed = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Constraints: each player once, and never oneself."""

        constraints: ClassVar = [
            models.UniqueConstraint(name="follow_once", fields=["follower", "followed"]),
            models.CheckConstraint(
                name="follow_of_somebody_else", condition=~models.Q(follower=models.F("followed"))
            ),
        ]

    def __str__(self) -> str:
        """Return the ids of both."""
        return f"{self.follower_id} follows {self.followed_id}"
