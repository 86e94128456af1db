"""What a browser shows instead of a token, where it can show none: to open one stream, once, and at once."""

from typing import ClassVar

from django.db import models

from games.models.token import ApiToken


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
