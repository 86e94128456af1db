"""Taking what is due from the outbox of mails and push messages, forgetting it, or putting it off."""

import logging
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from games.models import Notice, NoticeWay

logger = logging.getLogger(__name__)


def claim(ways: Iterable[NoticeWay], *, at_most: int, lease: timedelta) -> list[Notice]:
    """Take what is due in these ways; what a dead sender had in hand is found again when its lease is over.

    When there is nothing to do it is one small read.
    """
    due = Notice.objects.filter(due_at__lte=Now(), way__in=list(ways))
    if not due.exists():
        return []
    with transaction.atomic():
        held = due.select_for_update(skip_locked=True, no_key=True).order_by("due_at")
        ids = list(held.values_list("pk", flat=True)[:at_most])
        Notice.objects.filter(pk__in=ids).update(due_at=Now() + lease)
    claimed = Notice.objects.select_related("player").filter(pk__in=ids)
    return list(claimed.order_by("player_id", "way", "pk"))


def forget(notices: Iterable[Notice]) -> None:
    """Delete them, but what has been put in their place meanwhile."""
    for notice in notices:
        _same(notice).delete()


def put_off(notice: Notice, waits: Sequence[timedelta], **changes: Any) -> None:  # noqa: ANN401 -- of columns
    """Try again after the next of these waits; after the last of them, give it up."""
    if notice.tried >= len(waits):
        logger.error("a notice is given up: player %s, %s", notice.player_id, notice.kind)
        forget([notice])
        return
    _same(notice).update(due_at=Now() + waits[notice.tried], tried=notice.tried + 1, **changes)


def _same(notice: Notice) -> Any:  # noqa: ANN401 -- a query
    return Notice.objects.filter(pk=notice.pk, version=notice.version, due_at=notice.due_at)
