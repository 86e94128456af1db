"""Slots for streams and long polls, and the condition a long poll waits for."""

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

MAX_WAIT_LENGTH: Final = 30
RETRY_AFTER_SECONDS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitCondition:
    """What a long poll waits for: a match past a version, or anything at a player's tables."""

    seconds: int
    match_id: str = ""
    version: int = 0
    player_id: int | None = None


class ConnectionSlots:
    """How many streams and long polls are open in this process, by whom; `elsewhere` are those of others."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()
        self.elsewhere: Counter[str] = Counter()
        self._lock: Final = threading.Lock()

    def take(self, whom: str) -> None:
        """Let one more in; refused when there are as many as there may be."""
        each: int | None = settings.HAGGIS_MOST_STREAMS_EACH
        with self._lock:
            if each is not None and self._taken[whom] + self.elsewhere[whom] >= each:
                raise Problem("limit_reached", f"{each} streams are open for you already.", largest=each)
            if self._taken.total() >= settings.HAGGIS_MOST_STREAMS:
                raise Problem("unavailable", "There are too many streams.", retry_after=RETRY_AFTER_SECONDS)
            self._taken[whom] += 1

    def leave(self, whom: str) -> None:
        """Make room again."""
        with self._lock:
            self._taken[whom] -= 1
            if not self._taken[whom]:
                del self._taken[whom]

    def taken(self) -> dict[str, int]:
        """How many are open, by whom."""
        with self._lock:
            return dict(self._taken)

    def __len__(self) -> int:
        """How many are open."""
        with self._lock:
            return self._taken.total()


@dataclass(slots=True)
class LongPollContext:
    """One request's way to wait. `again` says that this is the same request, asked once more by the server.

    `kept` is what its view wants to find again then.
    """

    places: ConnectionSlots
    again: bool = False
    kept: object = None
    _whom: str | None = None
    _is_shut: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def enter(self, whom: str) -> None:
        """Take a place, once. A client that has gone meanwhile takes none."""
        with self._lock:
            if self._whom is None and not self._is_shut:
                self.places.take(whom)
                self._whom = whom

    def leave(self) -> None:
        """Give it back, for good."""
        with self._lock:
            self._is_shut = True
            if self._whom is not None:
                self.places.leave(self._whom)
                self._whom = None


def long_poll_of(request: Request) -> LongPollContext | None:
    """The door that the server has lent to this request, if it has."""
    return getattr(request, "door", None)


def acquire_slot(request: Request) -> None:
    """Take a place for a stream; refused where the server has none to give."""
    door = long_poll_of(request)
    if door is None:
        detail = "This process gives no streams."
        raise Problem("unavailable", detail, retry_after=RETRY_AFTER_SECONDS)
    door.enter(_slot_key(request))


def wait_seconds(request: Request) -> int:
    """How long the client wants an answer to be waited for."""
    return integer_parameter(request, "wait", smallest=0, largest=MAX_WAIT_LENGTH) or 0


def wait_for_change(request: Request, response: Response, awaited: WaitCondition) -> Response:
    """Have the answer waited for, if it is asked for and can be; the request is then asked once more."""
    door = long_poll_of(request)
    if door is not None and awaited.seconds:
        door.enter(_slot_key(request))
        response.awaited = awaited  # type: ignore[attr-defined]  # read by games.realtime.asgi
    return response


def _slot_key(request: Request) -> str:
    player = current_player(request)
    return f"a{client_address(request)}" if player is None else f"p{player.pk}"
