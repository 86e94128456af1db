"""Finding the turns that the service has to take: from the database alone, whatever was lost elsewhere."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from games.models import Match, MatchStatus

# A match, its version, and how often somebody has begun to think about that turn, if anybody has.
Turn = tuple[str, int] | tuple[str, int, int]

# How long a turn that was given out may wait in its queue. Longer than a lease: what is given out twice while
# the queue is long makes it longer.
CLAIM: Final = timedelta(seconds=20)

AT_ONCE: Final = 500


def claim_due_turns(*, at_most: int = AT_ONCE) -> list[Turn]:
    """The turns that are due, most urgent first. Nobody else is given them for a while.

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
            .values_list("pk", "version", "attempts")[:at_most]
        )
        Match.objects.filter(pk__in=[match_id for match_id, _, _ in turns]).update(wake_at=Now() + CLAIM)
    return [
        (match_id, version, tried) if tried else (match_id, version) for match_id, version, tried in turns
    ]


def give_back(turns: Iterable[Turn]) -> None:
    """Have these found by the next sweep: they were claimed, and nobody could be told of them."""
    for match_id, version, *_ in turns:
        claimed = Match.objects.filter(pk=match_id, version=version, status=MatchStatus.ACTIVE)
        claimed.filter(wake_at__gt=Now()).update(wake_at=Now())


def _due() -> QuerySet[Match]:
    """What the index of waking times finds."""
    return Match.objects.filter(status=MatchStatus.ACTIVE, wake_at__lte=Now())
