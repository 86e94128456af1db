"""Bodies that come in chunks, without having said how long they are.

Nothing behind reads such a body, so it is read here, as far as any view would read it, and given its length.
Behind a proxy there is none: the proxy does the same.
"""

from typing import Any, Final

from games.api.table.records import LARGEST_RECORD
from games.streams.asking import Scope
from games.streams.stream import Receive

# One more than the most that any view takes: what is longer is refused as too large wherever it was sent.
_MOST: Final = LARGEST_RECORD + 1


def in_chunks(scope: Scope) -> bool:
    """Whether a request has a body that does not say its length."""
    if scope["type"] != "http":
        return False
    names = {name for name, _ in scope["headers"]}
    return b"transfer-encoding" in names and b"content-length" not in names


async def with_length(scope: Scope, receive: Receive) -> tuple[Scope, Receive]:
    """The same request as if it had said how long its body is."""
    body, more = b"", True
    while more and len(body) < _MOST:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    body = body[:_MOST]
    headers = [(name, value) for name, value in scope["headers"] if name != b"transfer-encoding"]
    length = (b"content-length", str(len(body)).encode())
    return {**scope, "headers": [*headers, length]}, _given(body, receive)


def _given(body: bytes, receive: Receive) -> Receive:
    """A body that was read already, and then the end of the connection; what comes in between is let go."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Any:  # noqa: ANN401 -- a message of ASGI
        if messages:
            return messages.pop()
        while (message := await receive())["type"] == "http.request":
            pass
        return message

    return next_message
