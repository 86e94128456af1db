"""A round of a match: its deal, secret until the round ends, and what it came to."""

from typing import ClassVar

from django.db import models

from games.models.match import Match
from games.models.secrets import SecretJSONField


class Round(models.Model):
    """One round. `deal` holds the hands and the haggis; `link` is published when the round has ended.

    `scores` stay null where a round was cut short. An imported round is `unproven` where its link is unknown.
    """

    # Found by `round_number_once_a_match`.
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
        """A round is dealt once, and its link is shown when it has ended, not before."""

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
        """Name it."""
        return f"{self.match_id}#{self.number}"
