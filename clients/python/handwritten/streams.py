"""Follow a match: an iterator over its table and every entry of its log, which reconnects by itself.

    for event in watch(client, match_id):
        match event:
            case TableEvent(table=table): ...   # the whole table: replace your state with it
            case EntryEvent(entry=entry): ...   # one entry of the log, the next version

`watch_async` is the same for asyncio.
"""

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import httpx

from .client import AuthenticatedClient, Client
from .errors import UnexpectedStatus
from .models.log_entry import LogEntry
from .models.table import Table

# The server sends something every 15 seconds.
SILENCE_SECONDS: Final = 35.0
FIRST_PAUSE_SECONDS: Final = 0.5
LONGEST_PAUSE_SECONDS: Final = 15.0

_ENDS: Final = frozenset({"cancelled", "annulled"})
_OVER: Final = frozenset({"finished", "cancelled"})
_RETRIED: Final = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.CONFLICT})


@dataclass(frozen=True, slots=True)
class TableEvent:
    """The whole table: at the start, and after more than 1,000 missed entries."""

    version: int
    table: Table

    @property
    def is_last(self) -> bool:
        """Whether the match is over."""
        return str(self.table.status) in _OVER


@dataclass(frozen=True, slots=True)
class EntryEvent:
    """One entry of the log."""

    version: int
    entry: LogEntry

    @property
    def is_last(self) -> bool:
        """Whether nothing follows this entry."""
        ended = any(getattr(each, "type_", None) == "match_end" for each in self.entry.then)
        return ended or str(self.entry.type_) in _ENDS


StreamEvent = TableEvent | EntryEvent


def watch(
    client: AuthenticatedClient | Client, match_id: str, *, after: int | None = None
) -> Iterator[StreamEvent]:
    """Yield the events of a match until it ends; reconnect after interruptions, without gaps or repetitions.

    With `after`, start with the entry after this version and without a table. Raise `UnexpectedStatus` if the
    match cannot be seen, or no longer.
    """
    followed = _Followed(match_id, after)
    while not followed.is_over:
        try:
            with client.get_httpx_client().stream("GET", followed.path, **followed.request()) as response:
                if followed.accepts(response.status_code, response.headers):
                    for line in response.iter_lines():
                        yield from followed.read(line)
                elif not followed.is_over:
                    raise UnexpectedStatus(response.status_code, response.read())
        except httpx.TransportError:
            pass
        if not followed.is_over:
            time.sleep(followed.pause())


async def watch_async(
    client: AuthenticatedClient | Client, match_id: str, *, after: int | None = None
) -> AsyncIterator[StreamEvent]:
    """Yield the events of a match until it ends, like `watch`."""
    followed = _Followed(match_id, after)
    while not followed.is_over:
        try:
            streamed = client.get_async_httpx_client().stream("GET", followed.path, **followed.request())
            async with streamed as response:
                if followed.accepts(response.status_code, response.headers):
                    async for line in response.aiter_lines():
                        for event in followed.read(line):
                            yield event
                elif not followed.is_over:
                    raise UnexpectedStatus(response.status_code, await response.aread())
        except httpx.TransportError:
            pass
        if not followed.is_over:
            await asyncio.sleep(followed.pause())


class _Followed:
    """How far a match has been followed, over all connections."""

    def __init__(self, match_id: str, after: int | None) -> None:
        self.path: Final = f"/api/v1/matches/{match_id}/events"
        self.version = after
        self.is_over = False
        self._next_pause = FIRST_PAUSE_SECONDS
        self._retry_after = 0.0

    def request(self) -> dict[str, Any]:
        """Return the arguments of the request that continues after the last version."""
        return {
            "headers": {"Accept": "application/x-ndjson"},
            "params": {} if self.version is None else {"after": self.version},
            "timeout": httpx.Timeout(SILENCE_SECONDS),
        }

    def accepts(self, status: int, headers: httpx.Headers) -> bool:
        """Return whether the response is a stream; note if the match is over, or when to try again."""
        self._retry_after = 0.0
        self.is_over = status == HTTPStatus.NO_CONTENT
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _RETRIED:
            self._retry_after = float(headers.get("Retry-After", FIRST_PAUSE_SECONDS))
            raise httpx.RemoteProtocolError(f"The service answered {status}.")
        return status == HTTPStatus.OK

    def read(self, line: str) -> Iterator[StreamEvent]:
        """Yield the event of a line, if it is new."""
        if not line.strip():
            return
        sent = json.loads(line)
        self._next_pause = FIRST_PAUSE_SECONDS
        if sent["event"] == "table":
            table = Table.from_dict(sent["data"])
            yield self._passed(TableEvent(table.version, table))
        elif sent["event"] == "entry" and (self.version is None or sent["data"]["version"] > self.version):
            entry = LogEntry.from_dict(sent["data"])
            yield self._passed(EntryEvent(entry.version, entry))

    def pause(self) -> float:
        """Return how long to wait before the next connection: twice as long each time, and never in step."""
        pause = max(self._retry_after, self._next_pause * random.uniform(0.5, 1.5))  # noqa: S311 -- no secret
        self._next_pause = min(2 * self._next_pause, LONGEST_PAUSE_SECONDS)
        return pause

    def _passed(self, event: StreamEvent) -> StreamEvent:
        self.version = event.version
        self.is_over = event.is_last
        return event
