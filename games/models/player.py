"""Whoever can sit down at a table."""

from typing import Any, ClassVar, Final

from django.contrib.auth.models import AbstractUser
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Lower

LONGEST_USERNAME: Final = 30
LONGEST_DISPLAY_NAME: Final = 50

# ASCII alone, so that no two names look the same; no colon, so that nobody is called like an AI (`ai:hard`).
USERNAME_PATTERN: Final = r"[A-Za-z0-9][A-Za-z0-9_-]{2,29}"


class PlayerKind(models.TextChoices):
    """What stands behind an account."""

    HUMAN = "human"
    GUEST = "guest"
    BOT = "bot"


class Player(AbstractUser):
    """An account that can hold a seat: a person, a guest who has not registered, or somebody's program.

    A deleted account stays as a row without a trace of its owner: the history of its matches survives.

    A vacation lasts from `vacation_since` to `vacation_until`; `vacation_days` are those of `vacation_year`
    that are spent or booked.
    """

    username = models.CharField(
        max_length=LONGEST_USERNAME,
        unique=True,
        validators=[RegexValidator(rf"\A{USERNAME_PATTERN}\Z", "3 to 30 letters, digits, - or _.")],
        error_messages={"unique": "The name is taken."},
    )
    kind = models.CharField(max_length=5, choices=PlayerKind, default=PlayerKind.HUMAN)
    display_name = models.CharField(max_length=LONGEST_DISPLAY_NAME, blank=True, default="")
    email_confirmed = models.BooleanField(default=False)
    time_zone = models.CharField(max_length=64, default="UTC")
    notifications: "models.JSONField[Any, Any]" = models.JSONField(blank=True, default=dict)
    owner = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="bots")
    vacation_since = models.DateTimeField(null=True, blank=True)
    vacation_until = models.DateTimeField(null=True, blank=True)
    vacation_year = models.PositiveSmallIntegerField(default=0, db_default=0)
    vacation_days = models.PositiveSmallIntegerField(default=0, db_default=0)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta(AbstractUser.Meta):
        """The database itself refuses unknown kinds, names that differ in case alone, and owned people."""

        verbose_name = "player"
        verbose_name_plural = "players"
        constraints: ClassVar = [
            models.CheckConstraint(
                name="player_kind_is_known", condition=models.Q(kind__in=PlayerKind.values)
            ),
            models.UniqueConstraint(Lower("username"), name="player_username_once_in_any_case"),
            models.CheckConstraint(
                name="player_owner_is_of_a_bot",
                condition=models.Q(owner__isnull=True) | models.Q(kind=PlayerKind.BOT),
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                Lower("email"),
                name="player_by_confirmed_email",
                condition=models.Q(email_confirmed=True),
            ),
            models.Index(
                name="player_on_vacation",
                fields=["vacation_until"],
                condition=models.Q(vacation_until__isnull=False),
            ),
        ]
