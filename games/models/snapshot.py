"""What a running match is kept as between two moves, and where its deals come from. All of it is secret."""

from django.db import models

from games.models.match import Match
from games.models.secrets import SecretBytesField, SecretJSONField


class Snapshot(models.Model):
    """The state of a match after its last event: the fold of the log, kept for speed only."""

    match = models.OneToOneField(Match, primary_key=True, on_delete=models.CASCADE, related_name="snapshot")
    version = models.PositiveIntegerField()
    state = SecretJSONField()

    def __str__(self) -> str:
        """Name it."""
        return f"{self.match_id}@{self.version}"


class SeedChain(models.Model):
    """The last link of a match's chain, from which every deal of the match follows."""

    match = models.OneToOneField(Match, primary_key=True, on_delete=models.CASCADE, related_name="seed_chain")
    last_link = SecretBytesField()

    def __str__(self) -> str:
        """Name it."""
        return str(self.match_id)
