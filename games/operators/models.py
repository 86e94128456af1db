"""What operators did, to which match or player, and why: kept for good, like the log of a match."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.matches.models.match import Match

MAX_REASON_LENGTH = 500


class OperatorActionType(models.TextChoices):
    """What an operator can do that players would ask about."""

    PAUSE = "pause"
    RESUME = "resume"
    EXTEND = "extend"
    REPLACE = "replace"
    CANCEL = "cancel"
    ANNUL = "annul"
    REVEAL = "reveal"
    BAN = "ban"
    UNBAN = "unban"
    NOTE = "note"
    APPOINT = "appoint"
    DISMISS = "dismiss"


class OperatorAction(models.Model):
    """One deed. `details` says how: which seat, how many seconds, which role. Never a card."""

    operator = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="deeds"
    )
    deed = models.CharField(max_length=8, choices=OperatorActionType)
    match = models.ForeignKey(Match, null=True, on_delete=models.PROTECT, related_name="operator_actions")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="deeds_about"
    )
    reason = models.CharField(max_length=MAX_REASON_LENGTH)
    details = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        """A deed has a reason. Whoever may do what is asked of these permissions."""

        default_permissions = ("view",)
        permissions: ClassVar = [
            ("operate_matches", "Can pause, resume, extend, cancel and annul matches and replace seats"),
            ("reveal_hands", "Can look at the hands of a running round"),
            ("moderate_players", "Can ban players and write notes about them"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                name="operator_deed_is_known", condition=Q(deed__in=OperatorActionType.values)
            ),
            models.CheckConstraint(name="operator_action_has_a_reason", condition=~Q(reason="")),
            models.CheckConstraint(
                name="operator_action_is_about_one",
                condition=Q(match=None, player__isnull=False) | Q(match__isnull=False, player=None),
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="operator_action_of_match", fields=["match"], condition=Q(match__isnull=False)),
            models.Index(
                name="operator_action_of_player", fields=["player"], condition=Q(player__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        """Name it."""
        return f"{self.deed} {self.match_id or self.player_id}"
