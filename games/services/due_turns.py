"""Finding the turns that the service has to take: from the database alone, whatever was lost elsewhere."""

from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from games.models import Match, MatchStatus
from games.services.automatic import LEASE

Turn = tuple[str, int]

AT_ONCE: Final = 500


def claim_due_turns(*, at_most: int = AT_ONCE) -> list[Turn]:
    """The turns that are due, as (match, version), most urgent first. Nobody else is given them for a while.

    Two sweepers at once share them out: each skips what the other has just locked, and the moved waking time
    keeps them from both afterwards. When there is nothing to do it is one small read.
    """
    if not _due().exists():
        return []
    with transaction.atomic():
        turns = list(
            _due()
            .select_for_update(skip_locked=True, no_key=True)
            .order_by("wake_at")
            .values_list("pk", "version")[:at_most]
        )
        Match.objects.filter(pk__in=[match_id for match_id, _ in turns]).update(wake_at=Now() + LEASE)
    return turns


def _due() -> QuerySet[Match]:
    """What the index of waking times finds."""
    return Match.objects.filter(status=MatchStatus.ACTIVE, wake_at__lte=Now())
