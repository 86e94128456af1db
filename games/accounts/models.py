"""Login attempts and stream tickets."""

from typing import ClassVar

from django.db import models

from games.identity.models import ApiToken


class LogInAttempt(models.Model):
    """A failed or pending login attempt.

    `account` is the keyed hash of the username that was entered, whether or not such an account exists.
    """

    account = models.CharField(max_length=64)
    address = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        """Indexes for counting recent attempts by account and by address, and for deleting old ones."""

        verbose_name = "log-in attempt"
        verbose_name_plural = "log-in attempts"
        indexes: ClassVar = [
            models.Index(fields=["account", "at"], name="attempt_at_account"),
            models.Index(fields=["address", "at"], name="attempt_from_address"),
            models.Index(fields=["at"], name="attempt_by_age"),
        ]

    def __str__(self) -> str:
        """Return the time of the attempt; neither account nor address is included."""
        return f"attempt at {self.at:%Y-%m-%d %H:%M:%S}"


class Ticket(models.Model):
    """A single-use stand-in for the token it was issued with; it is deleted with that token.

    Only the hash of the ticket is stored.
    """

    digest = models.CharField(max_length=128, primary_key=True)
    token = models.ForeignKey(ApiToken, on_delete=models.CASCADE, related_name="tickets")
    expires_at = models.DateTimeField()

    class Meta:
        """An index for deleting expired tickets; lookups use the primary key."""

        indexes: ClassVar = [models.Index(fields=["expires_at"], name="ticket_by_age")]

    def __str__(self) -> str:
        """Return a constant, so that nothing usable ends up in a log."""
        return "ticket"
