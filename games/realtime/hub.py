"""The streams and long polls of one event loop, and their periodic checks."""

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Final, TypeVar

from django.conf import settings
from django.db import Error
from django.http import HttpResponse

from games.api.long_polling import ConnectionSlots, LongPollContext, WaitCondition
from games.matches.publish import MatchChanged
from games.realtime.formats import MatchStreamRequest, StreamRequest
from games.realtime.handler import DatabaseThreadPool, DjangoHandler, Scope
from games.realtime.online import OnlinePlayers
from games.realtime.queries import ActivityMark, activity_marks, players_allowed, valid_tokens, versions_of
from games.realtime.remote_connections import RemoteConnections
from games.realtime.streams import MatchStream, PlayerStream, Receive, Send
from games.realtime.subscriber import subscribe_locally, subscribe_to_redis, unsubscribe_locally
from games.realtime.topics import Topics
from games.realtime.watchers import WatcherCounts

log = logging.getLogger(__name__)

Key = TypeVar("Key", str, int)

CHECK_INTERVAL_SECONDS: Final = 5.0
HEARTBEAT_INTERVAL_SECONDS: Final = 1.0
MAX_KEYS_PER_QUERY: Final = 1_000

OpenStream = MatchStream | PlayerStream


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The state read from the database by one periodic check."""

    versions: dict[str, int]
    marks: dict[int, ActivityMark]
    tokens: set[str]
    allowed: dict[str, set[int]]


class StreamMonitor:
    """Sends heartbeats, finds missed events and closes streams whose readers lost access."""

    def __init__(self, topics: Topics, pool: DatabaseThreadPool) -> None:
        self._topics: Final = topics
        self._pool: Final = pool
        self.streams: Final[set[OpenStream]] = set()
        self._marks: dict[int, ActivityMark | None] = {}
        self._check_requested: Final = asyncio.Event()

    def check_soon(self) -> None:
        """Run the next check at once, since messages may have been lost."""
        self._check_requested.set()

    async def run_heartbeats(self) -> None:
        """Send heartbeats on idle streams, forever."""
        while True:
            await asyncio.sleep(HEARTBEAT_INTERVAL_SECONDS)
            now = monotonic()
            for stream in tuple(self.streams):
                stream.send_heartbeat_if_due(now)

    async def run_checks(self) -> None:
        """Run the periodic check, forever."""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._check_requested.wait(), CHECK_INTERVAL_SECONDS)
            self._check_requested.clear()
            try:
                await self.check_once()
            except Error as error:
                log.warning("Cannot check the open streams (%s); trying again", type(error).__name__)

    async def check_once(self) -> None:
        """Find changes whose Redis message was lost, and close streams whose readers lost access."""
        matches, players, streams = (
            list(self._topics.matches),
            list(self._topics.players),
            tuple(self.streams),
        )
        tokens = {stream.reader.token for stream in streams if stream.reader.token is not None}
        self._topics.clear_entries()
        if not matches and not players:
            return
        result = await self._pool.run(partial(_query_state, matches, players, tokens))
        for stream in streams:
            if not _is_allowed(stream, result):
                stream.close()
        self._notify_missed(result, players)

    def _notify_missed(self, result: CheckResult, players: Collection[int]) -> None:
        """Notify watchers of changes whose Redis message was lost."""
        for match_id, version in result.versions.items():
            self._topics.match_changed(match_id, version, ())
        for player_id in players:
            if player_id not in self._marks or self._marks[player_id] != result.marks.get(player_id):
                self._topics.notify_player(player_id)
        self._marks = {player_id: result.marks.get(player_id) for player_id in players}


def _query_state(matches: list[str], players: list[int], tokens: Collection[str]) -> CheckResult:
    """Query the state of all matches, players and tokens, a bounded number of keys at a time."""
    return CheckResult(
        versions=_query_in_chunks(versions_of, matches),
        marks=_query_in_chunks(activity_marks, players),
        tokens={token for chunk in _chunks(list(tokens)) for token in valid_tokens(chunk)},
        allowed=_query_in_chunks(players_allowed, matches),
    )


def _query_in_chunks(query: Callable[[Collection[Key]], dict[Key, Any]], keys: list[Key]) -> dict[Key, Any]:
    return {key: value for chunk in _chunks(keys) for key, value in query(chunk).items()}


def _chunks(keys: list[Key]) -> Iterator[list[Key]]:
    return (keys[start : start + MAX_KEYS_PER_QUERY] for start in range(0, len(keys), MAX_KEYS_PER_QUERY))


def _is_allowed(stream: OpenStream, result: CheckResult) -> bool:
    """Return whether the token of a stream is still valid and its match still visible to the reader."""
    reader = stream.reader
    if reader.token is not None and reader.token not in result.tokens:
        return False
    if isinstance(stream, PlayerStream):
        return True
    allowed = result.allowed.get(stream.match_id)
    return stream.match_id in result.versions and (allowed is None or reader.player_id in allowed)


Job = Callable[[], Coroutine[Any, Any, None]]

CLOSE_TIMEOUT_SECONDS: Final = 1.0
RETRY_DELAY_SECONDS: Final = 1.0


class OneShotEvent:
    """A watcher that a long poll awaits with a timeout."""

    def __init__(self) -> None:
        self._event: Final = asyncio.Event()

    def notify(self) -> None:
        """Wake the waiting long poll."""
        self._event.set()

    async def wait(self, seconds: float) -> None:
        """Wait for a notification or until the timeout, then reset."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._event.wait(), seconds)
        self._event.clear()


class Hub:
    """Serves the streams and long polls of one event loop until the server stops."""

    def __init__(self, handler: DjangoHandler, slots: ConnectionSlots) -> None:
        self.handler: Final = handler
        self.slots: Final = slots
        self.loop: Final = asyncio.get_running_loop()
        self.pool: Final = DatabaseThreadPool(settings.HAGGIS_STREAM_THREADS)
        self.topics: Final = Topics(self.pool)
        self.monitor: Final = StreamMonitor(self.topics, self.pool)
        self.is_closed = False
        subscribe_locally(self._on_match_changed)
        self._request_tasks: Final[set[asyncio.Task[Any]]] = set()
        self._tasks: Final = [asyncio.create_task(_run_forever(job)) for job in self._background_jobs()]

    def _background_jobs(self) -> list[Job]:
        """Return the coroutine functions that run beside the streams."""
        jobs: list[Job] = [
            self.topics.run,
            self.monitor.run_heartbeats,
            self.monitor.run_checks,
            WatcherCounts(self.monitor.streams, self.pool).run,
            OnlinePlayers(self.monitor.streams, self.pool).run,
        ]
        address = settings.HAGGIS_NEWS_URL
        if address is not None:
            jobs.append(partial(subscribe_to_redis, address, self._on_match_changed, self.monitor.check_soon))
            jobs.append(RemoteConnections(self.slots, self.pool).run)
        return jobs

    @contextmanager
    def track_task(self) -> Iterator[None]:
        """Track the current task, so that `close` can wait for it."""
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("Requests must run in an asyncio task.")
        self._request_tasks.add(task)
        try:
            yield
        finally:
            self._request_tasks.discard(task)

    def _on_match_changed(self, changed: MatchChanged) -> None:
        self.topics.match_changed(changed.match_id, changed.version, changed.players)

    async def get_response(self, scope: Scope, long_poll: LongPollContext) -> HttpResponse:
        """Return the response of a view; if it is a long poll, wait for a change first."""
        response = await self.pool.run(partial(self.handler.handle, scope, long_poll))
        condition: WaitCondition | None = getattr(response, "awaited", None)
        if condition is None:
            return response
        long_poll.is_retry = True
        return await self._poll_response(scope, long_poll, condition)

    async def _poll_response(
        self, scope: Scope, long_poll: LongPollContext, condition: WaitCondition
    ) -> HttpResponse:
        """Run the view after each change until it has a result or the wait is over."""
        deadline, waiter = monotonic() + condition.seconds, OneShotEvent()
        self._subscribe(condition, waiter)
        try:
            while True:
                # Run it once before waiting: changes before the subscription notified nobody.
                response = await self.pool.run(partial(self.handler.handle, scope, long_poll))
                remaining = deadline - monotonic()
                if getattr(response, "awaited", None) is None or remaining <= 0 or self.is_closed:
                    return response
                await waiter.wait(remaining)
        finally:
            self._unsubscribe(condition, waiter)

    def _subscribe(self, condition: WaitCondition, waiter: OneShotEvent) -> None:
        if condition.player_id is not None:
            self.topics.subscribe_to_player(condition.player_id, waiter)
        else:
            self.topics.subscribe_to_match(condition.match_id, condition.version, waiter)

    def _unsubscribe(self, condition: WaitCondition, waiter: OneShotEvent) -> None:
        if condition.player_id is not None:
            self.topics.unsubscribe_from_player(condition.player_id, waiter)
        else:
            self.topics.unsubscribe_from_match(condition.match_id, waiter)

    async def stream(self, stream_request: StreamRequest, receive: Receive, send: Send) -> None:
        """Write a stream until it ends."""
        stream = self._open_stream(stream_request, send)
        self.monitor.streams.add(stream)
        try:
            await stream.run(receive)
        finally:
            self.monitor.streams.discard(stream)
            stream.unsubscribe()

    def _open_stream(self, stream_request: StreamRequest, send: Send) -> OpenStream:
        if isinstance(stream_request, MatchStreamRequest):
            return MatchStream(stream_request, send, self.topics, self.pool)
        return PlayerStream(stream_request, send, self.topics, self.pool)

    async def close(self) -> None:
        """End every stream and complete every long poll; clients reconnect to the next server."""
        self.is_closed = True
        unsubscribe_locally(self._on_match_changed)
        for task in self._tasks:
            task.cancel()
        for stream in tuple(self.monitor.streams):
            stream.close()
        for topic in tuple(self.topics.matches.values()):
            for watcher in tuple(topic.watchers):
                watcher.notify()
        for player_id in tuple(self.topics.players):
            self.topics.notify_player(player_id)
        if self._request_tasks:
            await asyncio.wait(self._request_tasks, timeout=CLOSE_TIMEOUT_SECONDS)
        await asyncio.to_thread(self.pool.close)


async def _run_forever(job: Job) -> None:
    """Restart a job after any error, since all streams depend on it."""
    while True:
        try:
            await job()
        except Exception:  # a job that stops would leave all streams without updates
            log.exception("A background job of the streams failed; restarting it")
        await asyncio.sleep(RETRY_DELAY_SECONDS)
