"""The outbox of mails and push messages: what a player is to be told, and when."""

from typing import Any, ClassVar, Final

from django.conf import settings
from django.db import models


class NoticeKind(models.TextChoices):
    """What about."""

    INVITATION = "invitation"
    YOUR_TURN = "your_turn"
    REMINDER = "reminder"
    CARETAKER = "caretaker"
    MATCH_END = "match_end"
    WEBHOOK_STOPPED = "webhook_stopped"
    TEST = "test"


class NoticeWay(models.TextChoices):
    """By a mail of its own, with others once a day, or by a push message to each of a player's devices."""

    EMAIL = "email"
    DIGEST = "digest"
    PUSH = "push"


# The ways that need a confirmed address.
MAIL_WAYS: Final = (NoticeWay.EMAIL, NoticeWay.DIGEST)


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
    way = models.CharField(max_length=6, choices=NoticeWay)
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
            models.CheckConstraint(name="notice_way_is_known", condition=models.Q(way__in=NoticeWay.values)),
        ]
        indexes: ClassVar = [models.Index(name="notice_due", fields=["due_at"])]

    def __str__(self) -> str:
        """Name it."""
        return f"{self.kind} of {self.about} for player {self.player_id}"
