"""The audit log, and actions that need a second operator.

Entries of the audit log are never changed or deleted.
"""

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
    WARN = "warn"
    RENAME = "rename"
    SUSPEND = "suspend"
    UNSUSPEND = "unsuspend"
    REPORT = "report"
    PROPOSE_ANNULMENT = "propose_annulment"
    REJECT_ANNULMENT = "reject_annulment"
    RETRY_AI = "retry_ai"
    STOP_WEBHOOK = "stop_webhook"
    ENABLE_WEBHOOK = "enable_webhook"
    REDELIVER = "redeliver"
    RETRY_NOTICE = "retry_notice"
    STOP_APP = "stop_app"
    ENABLE_APP = "enable_app"


class OperatorAction(models.Model):
    """An entry of the audit log. `details` has parameters such as seat, seconds or role, but never cards."""

    operator = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="operator_actions"
    )
    action = models.CharField(max_length=20, choices=OperatorActionType)
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


class AnnulmentProposal(models.Model):
    """The proposal of an operator to annul a rated match, which another operator approves or rejects."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="annulment_proposals")
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="annulments_proposed"
    )
    reason = models.CharField(max_length=MAX_REASON_LENGTH)
    proposed_at = models.DateTimeField(default=timezone.now)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="annulments_decided"
    )
    approved = models.BooleanField(null=True)
    decided_at = models.DateTimeField(null=True)

    class Meta:
        """Constraints: one undecided proposal for a match, and nobody approves their own."""

        default_permissions = ()
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="annulment_proposed_once", fields=["match"], condition=Q(decided_at=None)
            ),
            models.CheckConstraint(
                name="annulment_decided_completely",
                condition=Q(decided_by=None, approved=None, decided_at=None)
                | Q(decided_by__isnull=False, approved__isnull=False, decided_at__isnull=False),
            ),
            models.CheckConstraint(
                name="annulment_approved_by_another",
                condition=~Q(approved=True) | ~Q(decided_by=models.F("proposed_by")),
            ),
        ]

    def __str__(self) -> str:
        """Return the match."""
        return f"annulment of {self.match_id}"
