"""Attempts to log in, counted where every process sees them."""

from typing import ClassVar

from django.db import models


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
