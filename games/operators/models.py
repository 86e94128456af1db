"""The audit log: actions of operators on matches and players. Entries are never changed or deleted."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.matches.models.match import Match

MAX_REASON_LENGTH = 500


class OperatorActionType(models.TextChoices):
    """The actions that are recorded in the audit log."""

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
    """An entry of the audit log. `details` has parameters such as seat, seconds or role, but never cards."""

    operator = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="operator_actions"
    )
    action = models.CharField(max_length=8, choices=OperatorActionType)
    match = models.ForeignKey(Match, null=True, on_delete=models.PROTECT, related_name="operator_actions")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="operator_actions_about"
    )
    reason = models.CharField(max_length=MAX_REASON_LENGTH)
    details = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Constraints require a reason and exactly one subject; the permissions control the admin actions."""

        default_permissions = ("view",)
        permissions: ClassVar = [
            ("operate_matches", "Can pause, resume, extend, cancel and annul matches and replace seats"),
            ("reveal_hands", "Can look at the hands of a running round"),
            ("moderate_players", "Can ban players and write notes about them"),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                name="operator_action_is_known", condition=Q(action__in=OperatorActionType.values)
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
        """Return the action and the id of the match or player."""
        return f"{self.action} {self.match_id or self.player_id}"
