"""Whoever can sit down at a table."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models


class PlayerKind(models.TextChoices):
    """What stands behind an account."""

    HUMAN = "human"
    GUEST = "guest"
    BOT = "bot"


class Player(AbstractUser):
    """An account that can hold a seat: a person, a guest who has not registered, or somebody's program."""

    kind = models.CharField(max_length=5, choices=PlayerKind, default=PlayerKind.HUMAN)

    class Meta(AbstractUser.Meta):
        """The database itself refuses a kind that does not exist."""

        verbose_name = "player"
        verbose_name_plural = "players"
        constraints: ClassVar = [
            models.CheckConstraint(
                name="player_kind_is_known", condition=models.Q(kind__in=PlayerKind.values)
            ),
        ]
