"""The heartbeat of the clock, and what is made good when it did not beat: deadlines that ran out meanwhile.

Every sweep looks whether the clock has beaten lately. When it has not, the service was away, and every
deadline that ran then is moved by the length of the outage, once, each as an event of its match. That is done
a bounded number of matches at a time, in the order of their ids; how far it has come stands in the database,
so that a sweep which dies is followed by one that goes on. No turn is timed out meanwhile.
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

NAME: Final = "clock"
AT_ONCE: Final = 200
# After these a turn has begun anew: if that was after the outage, it has lost nothing.
_BEGIN_A_TURN: Final = (
    EventType.STARTED,
    EventType.PLAY,
    EventType.PASS,
    EventType.AWARD,
    EventType.RECLAIMED,
    EventType.RESUMED,
)


@transaction.atomic
def record_heartbeat() -> None:
    """Note that the clock beats, and since when it did not, if that is long ago."""
    last = Heartbeat.objects.select_for_update().annotate(now=Now()).filter(pk=NAME).first()
    if last is None:
        Heartbeat.objects.get_or_create(name=NAME, defaults={"beat_at": Now()})
        return
    silent = last.now - last.beat_at
    if silent < HEARTBEAT_INTERVAL:
        return
    if silent > timedelta(seconds=settings.HAGGIS_OUTAGE_SECONDS):
        Outage.objects.create(began_at=last.beat_at, ended_at=last.now)
    Heartbeat.objects.filter(pk=NAME).update(beat_at=last.now)


def extend_deadlines_after_outages(*, at_most: int = AT_ONCE) -> bool:
    """Move some of the deadlines that an outage cost; False when all that there were have been moved."""
    with transaction.atomic():
        outage = Outage.objects.select_for_update().filter(done=False).order_by("pk").first()
        if outage is None:
            return False
        ids = list(_matches_affected_by(outage).order_by("pk").values_list("pk", flat=True)[:at_most])
        _extend(ids, outage.ended_at - outage.began_at)
        outage.done = len(ids) < at_most
        outage.reached = ids[-1] if ids else outage.reached
        outage.save(update_fields=["done", "reached"])
    return True


def _matches_affected_by(outage: Outage) -> QuerySet[Match]:
    """The matches, not yet looked at, whose running turn has lost time by the outage."""
    begun_since = Move.objects.filter(
        match=OuterRef("pk"), version=OuterRef("version"), type__in=_BEGIN_A_TURN, at__gt=outage.ended_at
    )
    return Match.objects.filter(
        ~Exists(begun_since),
        status=MatchStatus.ACTIVE,
        deadline__gt=outage.began_at,
        pk__gt=outage.reached,
    )


def _extend(match_ids: list[str], length: timedelta) -> None:
    """Hold the matches, so that nobody is first, and move the deadlines that still run."""
    held = Match.objects.select_for_update(no_key=True).filter(pk__in=match_ids).order_by("pk")
    rows = [row for row in find_matches(list(held.values_list("pk", flat=True))) if row.deadline]
    events = [extension_event(row, length, by=Actor.CLOCK) for row in rows]
    for event, written in zip(events, commit_events(events), strict=True):
        if written:
            publish(event.after)
