"""Reports of players about other players."""

from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

MAX_TEXT_LENGTH: Final = 500
# Of the texts of a report that was repeated.
MAX_MERGED_TEXT_LENGTH: Final = 2000
MAX_MATCH_ID_LENGTH: Final = 32


class ReportReason(models.TextChoices):
    """What a player is reported for."""

    CHEATING = "cheating"
    ABUSE = "abuse"
    STALLING = "stalling"
    NAME = "name"


class ReportOutcome(models.TextChoices):
    """How a moderator decided; empty while the report is open."""

    OPEN = ""
    DISMISSED = "dismissed"
    WARNED = "warned"
    RENAMED = "renamed"
    SUSPENDED = "suspended"
    BANNED = "banned"


class Report(models.Model):
    """A report about a player, which a moderator claims and closes with an outcome.

    `match_id` is the match that it is about, or empty. It is no foreign key, since a match that never started
    is deleted regardless of reports. `times` is how often the reporter has repeated this report, with the
    first. `address` is a keyed hash of the network address of a guest, for the limit of guests there.
    """

    # The indexes `report_by_reporter` and `report_of_player` cover these columns.
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reports_made", db_index=False
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reports_about", db_index=False
    )
    match_id = models.CharField(max_length=MAX_MATCH_ID_LENGTH, blank=True, default="")
    reason = models.CharField(max_length=8, choices=ReportReason)
    text = models.CharField(max_length=MAX_MERGED_TEXT_LENGTH, blank=True, default="")
    times = models.PositiveSmallIntegerField(default=1)
    address = models.CharField(max_length=64, blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)
    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="claimed_reports"
    )
    outcome = models.CharField(max_length=9, choices=ReportOutcome, blank=True, default="")
    closed_at = models.DateTimeField(null=True)

    class Meta:
        """Constraints: known values, one open report about the same, closed exactly with an outcome."""

        default_permissions = ("view",)
        constraints: ClassVar = [
            models.CheckConstraint(
                name="report_reason_is_known", condition=Q(reason__in=ReportReason.values)
            ),
            models.CheckConstraint(
                name="report_outcome_is_known", condition=Q(outcome__in=ReportOutcome.values)
            ),
            models.UniqueConstraint(
                name="report_open_once", fields=["reporter", "player", "match_id"], condition=Q(outcome="")
            ),
            models.CheckConstraint(
                name="report_is_closed_with_an_outcome",
                condition=Q(outcome="", closed_at=None) | ~Q(outcome="") & Q(closed_at__isnull=False),
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="report_by_reporter", fields=["reporter", "created_at"]),
            models.Index(name="report_of_player", fields=["player", "-id"]),
            models.Index(name="report_open", fields=["id"], condition=Q(outcome="")),
            models.Index(name="report_by_age", fields=["closed_at"]),
            models.Index(
                name="report_by_address", fields=["address", "created_at"], condition=~Q(address="")
            ),
        ]

    def __str__(self) -> str:
        """Return the id and the reason, without the text."""
        return f"report {self.pk}: {self.reason}"
