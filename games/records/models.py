"""The records that matches were imported from."""

from django.db import models

from games.core.compact_json import OrderedJSONField
from games.matches.models.match import Match


class ImportedRecord(models.Model):
    """The record that a match was imported from; it is public, because the match is over.

    An imported match has no `SeedChain`, because a record contains only the links of the chain.
    """

    match = models.OneToOneField(
        Match, primary_key=True, on_delete=models.CASCADE, related_name="imported_record"
    )
    record = OrderedJSONField()

    def __str__(self) -> str:
        """Return the ID of the match."""
        return str(self.match_id)
