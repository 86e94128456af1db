"""An address that a player has events sent to."""

import secrets
from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar, Final, NamedTuple

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.log import EventType
from games.models.match import Match
from games.models.secrets import Secret, SecretJSONField

LONGEST_URL: Final = 500
LONGEST_DESCRIPTION: Final = 100

# What an entry of the log brings about, and that the turn is now the player's own.
HAPPENINGS: Final = ("trick_end", "out", "round_end", "deal", "match_end")
YOUR_TURN: Final = "your_turn"
# What an endpoint may ask for: the types of entries, what stands in their `then`, and the turn.
SELECTABLE: Final[tuple[str, ...]] = (*EventType.values, *HAPPENINGS, YOUR_TURN)


def new_webhook_id() -> str:
    """An id that tells nothing."""
    return f"wh_{secrets.token_hex(8)}"


class StoppedBecause(models.TextChoices):
    """Why the service sends nothing more to an endpoint."""

    FAILING = "failing"
    GONE = "gone"


class OldSecret(NamedTuple):
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
    url = models.CharField(max_length=LONGEST_URL)
    description = models.CharField(max_length=LONGEST_DESCRIPTION, blank=True, default="")
    types = models.CharField(max_length=400, blank=True, default="")
    secret = SecretJSONField()
    # What `old_secrets_at` reads.
    old_secrets = SecretJSONField(null=True)

    active = models.BooleanField(default=True)
    stopped_because = models.CharField(max_length=8, choices=StoppedBecause, blank=True, default="")
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
                | Q(stopped_because__in=StoppedBecause.values, active=False, stopped_at__isnull=False),
            ),
        ]
        indexes: ClassVar = [
            models.Index(name="webhook_of_player", fields=["player", "-created_at"]),
        ]

    def __str__(self) -> str:
        """Name it; its address may hold something that is nobody's business."""
        return f"{self.public_id} of player {self.player_id}"

    def old_secrets_at(self, now: datetime) -> tuple[OldSecret, ...]:
        """The secrets before the present one that sign too at this moment, the latest first."""
        kept = [] if self.old_secrets is None else self.old_secrets.reveal()
        old = (OldSecret(Secret(secret), datetime.fromisoformat(until)) for secret, until in kept)
        return tuple(each for each in old if each.until > now)

    def keep_old_secrets(self, old: Iterable[OldSecret]) -> None:
        """Have these sign too."""
        kept = [(each.secret.reveal(), each.until.isoformat()) for each in old]
        self.old_secrets = Secret(kept) if kept else None

    @property
    def selection(self) -> list[str] | None:
        """The types it asks for; None for all."""
        return self.types.split() or None


def written_types(types: Iterable[str] | None) -> str:
    """The types as they are stored.

    >>> written_types(["match_end", "play", "play"])
    ' match_end play '
    """
    return f" {' '.join(sorted(set(types)))} " if types else ""
