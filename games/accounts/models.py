"""Login attempts and stream tickets."""

from typing import ClassVar

from django.db import models

from games.identity.models import ApiToken


class LogInAttempt(models.Model):
    """One attempt that has not succeeded: at which account, whether or not it exists, and from where."""

    account = models.CharField(max_length=64)
    address = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        """Counted by account and by address, the latest only."""

        verbose_name = "log-in attempt"
        verbose_name_plural = "log-in attempts"
        indexes: ClassVar = [
            models.Index(fields=["account", "at"], name="attempt_at_account"),
            models.Index(fields=["address", "at"], name="attempt_from_address"),
            models.Index(fields=["at"], name="attempt_by_age"),
        ]

    def __str__(self) -> str:
        """Say when, not who."""
        return f"attempt at {self.at:%Y-%m-%d %H:%M:%S}"


class Ticket(models.Model):
    """A ticket stands for the token that it was asked for with, and ends with it. Only its hash is kept."""

    digest = models.CharField(max_length=128, primary_key=True)
    token = models.ForeignKey(ApiToken, on_delete=models.CASCADE, related_name="tickets")
    expires_at = models.DateTimeField()

    class Meta:
        """Found by its hash; cleared away by its age."""

        indexes: ClassVar = [models.Index(fields=["expires_at"], name="ticket_by_age")]

    def __str__(self) -> str:
        """Name it without anything that could be used."""
        return "ticket"
