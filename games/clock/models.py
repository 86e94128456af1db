"""Whether the clock of the service runs, and when it did not."""

from typing import ClassVar

from django.db import models


class Heartbeat(models.Model):
    """When the clock last beat. There is one row, whoever sweeps."""

    name = models.CharField(primary_key=True, max_length=16)
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        """Name it."""
        return self.name


class Outage(models.Model):
    """A time in which the clock did not beat. Every deadline that ran then is moved by its length, once.

    That is done match by match in the order of their ids, as far as `reached`, until `done`.
    """

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    reached = models.CharField(max_length=32, blank=True, default="")
    done = models.BooleanField(default=False)

    class Meta:
        """Those that are not done yet are looked for every second."""

        indexes: ClassVar = [
            models.Index(name="outage_not_done", fields=["id"], condition=models.Q(done=False)),
        ]

    def __str__(self) -> str:
        """Name it."""
        return f"{self.began_at} to {self.ended_at}"
