"""A match that was played elsewhere, as its record told it."""

from django.db import models

from games.core.compact_json import OrderedJSONField
from games.matches.models.match import Match


class ImportedRecord(models.Model):
    """The record that a match was taken from. All of it is public: the match is over.

    Such a match has no `SeedChain`: what a record has of it is the links of its rounds.
    """

    match = models.OneToOneField(
        Match, primary_key=True, on_delete=models.CASCADE, related_name="imported_record"
    )
    record = OrderedJSONField()

    def __str__(self) -> str:
        """Name it."""
        return str(self.match_id)
