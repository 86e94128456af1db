"""The two forms of a stream: server-sent events, and JSON lines. Both say the same."""

import json
from collections.abc import Mapping
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from rest_framework.renderers import BaseRenderer

SERVER_SENT: Final = "text/event-stream"
LINES: Final = "application/x-ndjson"

TABLE: Final = "table"
ENTRY: Final = "entry"
START: Final = "start"

_SILENCE: Final = {SERVER_SENT: b":\n\n", LINES: b'{"event":"ping","id":null,"data":null}\n'}


class _Form(BaseRenderer):
    """A form to be asked for. What is sent in it is written by `frame`, not by a renderer."""

    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Write nothing."""
        return b""


class ServerSent(_Form):
    """As browsers read it."""

    media_type = SERVER_SENT
    format = "sse"


class Lines(_Form):
    """As programs read it."""

    media_type = LINES
    format = "ndjson"


def written(data: object) -> str:
    """JSON on one line."""
    return json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))


def frame(form: str, event: str, number: int | str, data: str) -> bytes:
    r"""One event with its id; `data` is JSON already.

    >>> frame(SERVER_SENT, "entry", 43, '{"version":43}')
    b'event: entry\nid: 43\ndata: {"version":43}\n\n'
    >>> frame(LINES, "entry", 43, '{"version":43}')
    b'{"event":"entry","id":43,"data":{"version":43}}\n'
    """
    if form == SERVER_SENT:
        return f"event: {event}\nid: {number}\ndata: {data}\n\n".encode()
    return f'{{"event":"{event}","id":{json.dumps(number)},"data":{data}}}\n'.encode()


def silence(form: str) -> bytes:
    """What says that nothing has happened, and that the stream is still there."""
    return _SILENCE[form]
