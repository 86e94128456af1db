"""Count the watchers of matches, who have no seat, and list the matches that can be watched.

Each process that serves streams counts its own and publishes the counts in the cache, so that requests to act
have nothing to do with it. Long polls do not count; a player with several streams of a match counts once.
"""

import asyncio
import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db import Error
from django.db.models import F, QuerySet
from django.utils import timezone

from games.lobby.queries import SEATED_STATES, ListedMatchDocument, render_listed_match
from games.matches.models.log import Move
from games.matches.models.match import Match, MatchStatus, Seat, Visibility
from games.matches.store import MatchRow, find_matches
from games.realtime.handler import DatabaseThreadPool
from games.realtime.remote_connections import WATCHERS, exchange_or_empty, read_counts
from games.realtime.streams import MatchStream, PlayerStream

PUBLISH_INTERVAL_SECONDS: Final = 2.0
# A match is featured only if somebody acted in it since.
LIVE_PERIOD: Final = timedelta(minutes=2)
# The newest matches and the most watched ones that can be featured.
FEATURED_CANDIDATES: Final = 50

# A match that is watched, and the watching player, if known.
Watcher = tuple[str, int | None]


class WatcherCounts:
    """Publishes the number of watchers of each match that read streams of this process."""

    def __init__(self, streams: Collection[MatchStream | PlayerStream], pool: DatabaseThreadPool) -> None:
        self._streams: Final = streams
        self._pool: Final = pool
        self._process: Final = secrets.token_hex(8)

    async def run(self) -> None:
        """Publish the counts forever; on cancellation, publish that this process has no watchers."""
        try:
            while True:
                watchers = [
                    (stream.match_id, stream.reader.player_id)
                    for stream in tuple(self._streams)
                    if isinstance(stream, MatchStream) and stream.watches
                ]
                await self._pool.run(partial(_publish_counts, self._process, watchers))
                await asyncio.sleep(PUBLISH_INTERVAL_SECONDS)
        finally:
            await asyncio.to_thread(exchange_or_empty, WATCHERS, self._process, {})


def _publish_counts(process: str, watchers: Sequence[Watcher]) -> None:
    try:
        counts = count_watchers(watchers)
    except Error:  # the database is away: the next time will do
        return
    exchange_or_empty(WATCHERS, process, counts)


def count_watchers(watchers: Sequence[Watcher]) -> Counter[str]:
    """Return the number of watchers of each match, without those who have taken a seat in the meantime."""
    known = {(match_id, player) for match_id, player in watchers if player is not None}
    if known:
        seats = Seat.objects.filter(
            match__in={match_id for match_id, _ in known},
            player__in={player for _, player in known},
            state__in=SEATED_STATES,
        )
        known -= set(seats.values_list("match_id", "player_id"))
    counts = Counter(match_id for match_id, _ in known)
    counts.update(match_id for match_id, player in watchers if player is None)
    return counts


def watchers_of(match_id: str) -> int:
    """Return the number of watchers of a match over all processes."""
    return read_counts(WATCHERS)[match_id]


class WatchableMatchDocument(ListedMatchDocument):
    """A running match with the number of its watchers."""

    watchers: int


def watchable_matches(*, ruleset: str | None = None, players: int | None = None) -> QuerySet[Match]:
    """Return the public matches that are being played."""
    filters = {"ruleset": ruleset, "players": players}
    running = Match.objects.filter(status=MatchStatus.ACTIVE, visibility=Visibility.PUBLIC)
    return running.filter(**{name: value for name, value in filters.items() if value is not None})


def render_watchable(row: MatchRow, counts: Counter[str]) -> WatchableMatchDocument:
    """Return a running match with the number of its watchers."""
    return {**render_listed_match(row), "watchers": counts[row.id]}


def featured_match(matches: QuerySet[Match], counts: Counter[str]) -> MatchRow | None:
    """Return the running match that is most worth watching, or `None`.

    It is one in which somebody acted in the last two minutes: the most watched of these, then the one with
    the most people at the table, then the one with the latest move. Candidates are the newest matches and
    the most watched ones.
    """
    newest = matches.order_by("-created_at", "-id").values_list("pk", flat=True)[:FEATURED_CANDIDATES]
    watched = [match_id for match_id, _ in counts.most_common(FEATURED_CANDIDATES)]
    candidates = {*newest, *matches.filter(pk__in=watched).values_list("pk", flat=True)}
    moved_at = _live_matches(candidates)
    rows = [row for row in find_matches(list(moved_at)) if row.status == MatchStatus.ACTIVE]
    return max(rows, key=lambda row: (counts[row.id], _people(row), moved_at[row.id], row.id), default=None)


def _live_matches(match_ids: Iterable[str]) -> dict[str, datetime]:
    """Return the time of the last move of each match in which somebody acted recently."""
    last = Move.objects.filter(match__in=list(match_ids), version=F("match__version"))
    recent = last.filter(at__gte=timezone.now() - LIVE_PERIOD)
    return dict(recent.values_list("match_id", "at"))


def _people(row: MatchRow) -> int:
    return sum(seat.player_id is not None for seat in row.seats)
