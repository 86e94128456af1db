"""Read event streams in tests."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeVar

from django.utils.datastructures import CaseInsensitiveMapping

from games.realtime.asgi import StreamApplication
from games.realtime.formats import ENTRY_EVENT, NDJSON_MEDIA_TYPE, SSE_MEDIA_TYPE, TABLE_EVENT
from tests.support import contract

Json = Any
Result = TypeVar("Result")

TIMEOUT_SECONDS: Final = 20


@dataclass
class Event:
    """An event of a stream. Keep-alive messages have no name."""

    name: str
    id: Any = None
    data: Json = None

    @classmethod
    def of_lines(cls, text: str) -> "Event":
        message = json.loads(text)
        assert message.keys() == {"event", "id", "data"}
        return cls("" if message["event"] == "ping" else message["event"], message["id"], message["data"])

    @classmethod
    def of_server_sent(cls, text: str) -> "Event":
        if text == ":":
            return cls("")
        message = dict(line.split(": ", 1) for line in text.split("\n"))
        assert message.keys() == {"event", "id", "data"}
        return cls(message["event"], message["id"], json.loads(message["data"]))


class Reader:
    """A request and its streaming response."""

    def __init__(self, front: StreamApplication, path: str, headers: Mapping[str, str], method: str) -> None:
        bare, _, query = path.partition("?")
        self.scope = {
            "type": "http",
            "method": method,
            "path": f"/api/v1/{bare}",
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()],
            "client": ("127.0.0.1", 1234),
            "server": ("testserver", 80),
        }
        self.form = headers.get("Accept", SSE_MEDIA_TYPE)
        self.path, self.method = bare, method
        self._incoming: asyncio.Queue[Json] = asyncio.Queue()
        self._incoming.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        self._outgoing: asyncio.Queue[Json] = asyncio.Queue()
        self._text = b""
        self.is_over = False
        # Clear this event to simulate a client that stops reading.
        self.reads = asyncio.Event()
        self.reads.set()
        self.running = asyncio.create_task(front(self.scope, self._incoming.get, self._send))

    async def _send(self, message: Json) -> None:
        await self.reads.wait()
        self._outgoing.put_nowait(message)

    async def _next(self) -> Json:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            return await self._outgoing.get()

    async def read_start(self) -> "Reader":
        start = await self._next()
        self.status: int = start["status"]
        self.headers = {name.decode(): value.decode() for name, value in start["headers"]}
        return self

    async def body(self) -> Json:
        """Read a response that ends and return its JSON."""
        while not self.is_over:
            await self._more()
        await self.running
        answer = contract.BufferedResponse(self.status, CaseInsensitiveMapping(self.headers), self._text)
        wrong = contract.contract_errors(self.method, f"{contract.PREFIX}{self.path}", answer)
        assert not wrong, wrong
        return json.loads(self._text) if self._text else None

    async def event(self) -> Event | None:
        """Read the next event; return `None` at the end."""
        end = b"\n" if self.form == NDJSON_MEDIA_TYPE else b"\n\n"
        while end not in self._text:
            if self.is_over:
                assert self._text == b""
                return None
            await self._more()
        text, _, self._text = self._text.partition(end)
        event = (Event.of_lines if self.form == NDJSON_MEDIA_TYPE else Event.of_server_sent)(text.decode())
        wrong = self._contract_errors(event)
        assert not wrong, wrong
        return event

    def _contract_errors(self, event: Event) -> list[str]:
        """Check the data of an event; the cursor of a player event is its id."""
        if event.name == TABLE_EVENT:
            return contract.schema_errors("Table", event.data)
        if event.name != ENTRY_EVENT:
            return []
        if self.path.startswith("me/"):
            return contract.schema_errors("PlayerEvent", event.data | {"cursor": event.id})
        return contract.schema_errors("LogEntry", event.data)

    async def events(self, count: int) -> list[Event]:
        """Read this many events, skipping keep-alive messages."""
        found: list[Event] = []
        while len(found) < count:
            event = await self.event()
            assert event is not None, f"the stream has ended after {len(found)} of {count}"
            if event.name:
                found.append(event)
        return found

    async def rest(self) -> list[Event]:
        """Read all events until the stream ends."""
        found = []
        while (event := await self.event()) is not None:
            if event.name:
                found.append(event)
        await self.running
        return found

    async def _more(self) -> None:
        message = await self._next()
        self._text += message["body"]
        self.is_over = not message.get("more_body", False)

    async def disconnect(self) -> None:
        """Close the connection."""
        self._incoming.put_nowait({"type": "http.disconnect"})
        await asyncio.wait_for(self.running, TIMEOUT_SECONDS)


async def _refuse(*_: object) -> None:
    raise AssertionError("only streams are expected here")


@dataclass
class StreamService:
    """The application while a test runs."""

    front: StreamApplication
    readers: list[Reader] = field(default_factory=list)

    async def open(self, path: str, token: str = "", method: str = "GET", **headers: str) -> Reader:
        """Send a request and wait for the start of the response."""
        return await self.send(path, token, method, **headers).read_start()

    def send(self, path: str, token: str = "", method: str = "GET", **headers: str) -> Reader:
        """Send a request."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            sent["Authorization"] = f"Bearer {token}"
        reader = Reader(self.front, path, sent, method)
        self.readers.append(reader)
        return reader

    async def run_in_pool(self, act: Callable[..., Result], *args: Any, **named: Any) -> Result:
        """Call a function that uses the database in a thread of the pool."""
        return await self.front.hub.pool.run(partial(act, *args, **named))


@asynccontextmanager
async def stream_service() -> AsyncIterator[StreamService]:
    """Run the application and shut it down cleanly."""
    serving = StreamService(StreamApplication(_refuse))
    try:
        yield serving
    finally:
        for reader in serving.readers:
            reader.running.cancel()
        await asyncio.gather(*(reader.running for reader in serving.readers), return_exceptions=True)
        await serving.front.close()


def run_stream_test(test: Callable[[StreamService], Awaitable[None]]) -> None:
    """Run a test in a new event loop."""

    async def run() -> None:
        async with asyncio.timeout(6 * TIMEOUT_SECONDS), stream_service() as serving:
            await test(serving)

    asyncio.run(run())
