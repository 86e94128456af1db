"""Detect outages of the sweep and extend the deadlines that were running during an outage.

Every sweep checks when the last heartbeat was. If it was too long ago, the service was down, and every
deadline that was running then is extended once, by the length of the outage, with an event in its match. The
matches are processed in batches in the order of their ids. The progress is stored in the database, so that
another sweep can continue if one dies. No turn times out until all deadlines are extended.
"""

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Now

from games.clock.models import Heartbeat, Outage
from games.clock.queries import HEARTBEAT_INTERVAL
from games.clock.turn_events import extension_event
from games.matches.commit import commit_events
from games.matches.models.log import Actor, EventType, Move
from games.matches.models.match import Match, MatchStatus
from games.matches.publish import publish
from games.matches.store import find_matches

HEARTBEAT_NAME: Final = "clock"
BATCH_SIZE: Final = 200
# These events start a turn with its full time. A turn that started after the outage has lost no time.
_TURN_STARTING_EVENTS: Final = (
    EventType.STARTED,
    EventType.PLAY,
    EventType.PASS,
    EventType.AWARD,
    EventType.RECLAIMED,
    EventType.RESUMED,
)


@transaction.atomic
def record_heartbeat() -> None:
    """Update the heartbeat, and record an outage if the last heartbeat was too long ago."""
    last = Heartbeat.objects.select_for_update().annotate(now=Now()).filter(pk=HEARTBEAT_NAME).first()
    if last is None:
        Heartbeat.objects.get_or_create(name=HEARTBEAT_NAME, defaults={"beat_at": Now()})
        return
    silence = last.now - last.beat_at
    if silence < HEARTBEAT_INTERVAL:
        return
    if silence > timedelta(seconds=settings.HAGGIS_OUTAGE_SECONDS):
        Outage.objects.create(began_at=last.beat_at, ended_at=last.now)
    Heartbeat.objects.filter(pk=HEARTBEAT_NAME).update(beat_at=last.now)


def extend_deadlines_after_outages(*, at_most: int = BATCH_SIZE) -> bool:
    """Extend a batch of the deadlines affected by an outage; return False if none are left."""
    with transaction.atomic():
        outage = Outage.objects.select_for_update().filter(done=False).order_by("pk").first()
        if outage is None:
            return False
        match_ids = list(_matches_affected_by(outage).order_by("pk").values_list("pk", flat=True)[:at_most])
        _extend(match_ids, outage.ended_at - outage.began_at)
        outage.done = len(match_ids) < at_most
        outage.reached = match_ids[-1] if match_ids else outage.reached
        outage.save(update_fields=["done", "reached"])
    return True


def _matches_affected_by(outage: Outage) -> QuerySet[Match]:
    """Return the unprocessed matches whose current turn has lost time in the outage."""
    started_since = Move.objects.filter(
        match=OuterRef("pk"),
        version=OuterRef("version"),
        type__in=_TURN_STARTING_EVENTS,
        at__gt=outage.ended_at,
    )
    return Match.objects.filter(
        ~Exists(started_since),
        status=MatchStatus.ACTIVE,
        deadline__gt=outage.began_at,
        pk__gt=outage.reached,
    )


def _extend(match_ids: list[str], length: timedelta) -> None:
    """Lock the matches and extend the deadlines that are still running."""
    locked = Match.objects.select_for_update(no_key=True).filter(pk__in=match_ids).order_by("pk")
    rows = [row for row in find_matches(list(locked.values_list("pk", flat=True))) if row.deadline]
    events = [extension_event(row, length, by=Actor.CLOCK) for row in rows]
    for event, written in zip(events, commit_events(events), strict=True):
        if written:
            publish(event.after)
