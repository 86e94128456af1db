"""Models of the heartbeat of the sweep and of outages."""

from typing import ClassVar

from django.db import models


class Heartbeat(models.Model):
    """The time of the last sweep. There is a single row for all processes."""

    name = models.CharField(primary_key=True, max_length=16)
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        """Return the name of the heartbeat."""
        return self.name


class Outage(models.Model):
    """A period without sweeps. Every deadline that was running then is extended once, by its length.

    Matches are processed in the order of their ids. `reached` is the last processed id, and `done` is set
    when all have been processed.
    """

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    reached = models.CharField(max_length=32, blank=True, default="")
    done = models.BooleanField(default=False)

    class Meta:
        """The partial index serves the query for unprocessed outages, which runs every second."""

        indexes: ClassVar = [
            models.Index(name="outage_not_done", fields=["id"], condition=models.Q(done=False)),
        ]

    def __str__(self) -> str:
        """Return the period."""
        return f"{self.began_at} to {self.ended_at}"
