"""Connection slots for streams and long polls, and the condition that a long poll waits for."""

import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import current_player
from games.api.pagination import integer_parameter
from games.core.addresses import client_address
from games.core.errors import Problem
from games.core.languages import message

# The key in `request.META` of the context that the ASGI server adds to requests that may wait.
LONG_POLL_KEY: Final = "haggis.long_poll"
MAX_WAIT_LENGTH: Final = 30
RETRY_AFTER_SECONDS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitCondition:
    """What a long poll waits for: a match beyond a version, or any event for a player."""

    seconds: int
    match_id: str = ""
    version: int = 0
    player_id: int | None = None


class ConnectionSlots:
    """Count the open streams and long polls of this process for each client.

    `remote` counts the connections of the same clients to other processes.
    """

    def __init__(self) -> None:
        self._in_use: Counter[str] = Counter()
        self.remote: Counter[str] = Counter()
        self._lock: Final = threading.Lock()

    def acquire(self, client: str) -> None:
        """Take a slot for a client, or raise if the client or the process has reached its limit."""
        each: int | None = settings.HAGGIS_MOST_STREAMS_EACH
        with self._lock:
            if each is not None and self._in_use[client] + self.remote[client] >= each:
                raise Problem(
                    "limit_reached",
                    message("You already have {count} streams open: close one first.", count=each),
                    largest=each,
                )
            if self._in_use.total() >= settings.HAGGIS_MOST_STREAMS:
                raise Problem(
                    "unavailable",
                    message("Too many streams are open: try later."),
                    retry_after=RETRY_AFTER_SECONDS,
                )
            self._in_use[client] += 1

    def release(self, client: str) -> None:
        """Return a slot of a client."""
        with self._lock:
            self._in_use[client] -= 1
            if not self._in_use[client]:
                del self._in_use[client]

    def in_use(self) -> dict[str, int]:
        """Return the number of slots in use for each client."""
        with self._lock:
            return dict(self._in_use)

    def __len__(self) -> int:
        """Return the number of slots in use."""
        with self._lock:
            return self._in_use.total()


@dataclass(slots=True)
class LongPollContext:
    """The slot of one waiting request.

    `is_retry` is set when the server calls the view again for the same request; `state` is what the view
    stored for that call.
    """

    slots: ConnectionSlots
    is_retry: bool = False
    state: object = None
    _client: str | None = None
    _is_closed: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def acquire(self, client: str) -> None:
        """Take a slot unless this request has one or its client has disconnected."""
        with self._lock:
            if self._client is None and not self._is_closed:
                self.slots.acquire(client)
                self._client = client

    def close(self) -> None:
        """Return the slot and refuse to take another one."""
        with self._lock:
            self._is_closed = True
            if self._client is not None:
                self.slots.release(self._client)
                self._client = None


def long_poll_of(request: Request) -> LongPollContext | None:
    """Return the context that the ASGI server added to this request, or None under another server."""
    long_poll: LongPollContext | None = request.META.get(LONG_POLL_KEY)
    return long_poll


def acquire_slot(request: Request) -> None:
    """Take a slot for a stream, or raise if this process does not serve streams."""
    long_poll = long_poll_of(request)
    if long_poll is None:
        detail = message("This process does not serve streams.")
        raise Problem("unavailable", detail, retry_after=RETRY_AFTER_SECONDS)
    long_poll.acquire(_slot_key(request))


def wait_seconds(request: Request) -> int:
    """Return how many seconds the client is willing to wait (`?wait=`)."""
    return integer_parameter(request, "wait", smallest=0, largest=MAX_WAIT_LENGTH) or 0


def wait_for_change(request: Request, response: Response, awaited: WaitCondition) -> Response:
    """Ask the ASGI server to wait for a change and then call the view again, if the client wants to wait."""
    long_poll = long_poll_of(request)
    if long_poll is not None and awaited.seconds:
        long_poll.acquire(_slot_key(request))
        response.awaited = awaited  # type: ignore[attr-defined]  # read by games.realtime.asgi
    return response


def _slot_key(request: Request) -> str:
    player = current_player(request)
    return f"a{client_address(request)}" if player is None else f"p{player.pk}"
