"""What was told, and how it is compared: byte by byte, and where that differs without the time of day."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import unified_diff
from typing import Any, Final

NOTHING: Final[frozenset[str]] = frozenset()
# When something happened: differs where the same is done twice.
MOMENTS: Final = frozenset({"at", "deadline"})
# What names the time of day, as the cursor of a player's own events does, and what is drawn anew each time.
_CLOCK: Final = frozenset({"now", "seconds_left", "expires_at", "ticket", "cursor"})
_CHANGING_HEADERS: Final = frozenset(
    {
        "Date",
        "Expires",
        "RateLimit",
        "RateLimit-Policy",
        "Content-Length",
        "Content-Security-Policy",
        "X-Request-ID",
    }
)
_DRAWN_ANEW: Final = re.compile(r'(csrfmiddlewaretoken" value|nonce)="[^"]*"|\d+ (milli)?seconds?')
_CURSOR_OF_A_STREAM: Final = re.compile(r'id(": ?"|: )Wy\w*')


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: status, headers, and the body as it came."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @classmethod
    def of(cls, response: Any, content: bytes | None = None) -> "Answer":
        """What a response tells; of a stream, its beginning."""
        headers = {name: value for name, value in response.headers.items() if name not in _CHANGING_HEADERS}
        return cls(response.status_code, headers, response.content if content is None else content)

    def plain(self, but_for: frozenset[str]) -> Any:
        """The same without what may differ."""
        media, text = self.headers.get("Content-Type", ""), self.content.decode()
        if "stream" in media or "ndjson" in media:
            names = "|".join(_CLOCK | but_for)
            text = re.sub(rf'"({names})":("[^"]*"|\d+|null),?', "", _CURSOR_OF_A_STREAM.sub("", text))
        elif "json" in media:
            return self.status, self.headers, _without(json.loads(text), _CLOCK | but_for)
        return self.status, self.headers, _DRAWN_ANEW.sub("", text).splitlines()


def _without(body: Any, names: frozenset[str]) -> Any:
    match body:
        case dict():
            return {name: _without(each, names) for name, each in body.items() if name not in names}
        case list():
            return [_without(each, names) for each in body]
        case _:
            return body


Told = Mapping[str, Any]


class Differs(AssertionError):
    """Two worlds tell something different."""


def compare(here: Told, there: Told, but_for: frozenset[str] = NOTHING) -> None:
    """Both tell the same, but for the time of day and the members named."""
    differing = {name for name in here.keys() | there.keys() if here.get(name) != there.get(name)}
    one, other = (
        [f"{name}: {part}" for name in sorted(differing) for part in _parts(_plain(world.get(name), but_for))]
        for world in (here, there)
    )
    difference = "\n".join(unified_diff(one, other, n=0, lineterm=""))
    if difference:
        raise Differs(difference[:4000])


def _plain(value: Any, but_for: frozenset[str]) -> Any:
    return value.plain(but_for) if isinstance(value, Answer) else value


def _parts(value: Any) -> list[str]:
    """What is told, in pieces small enough to see where they differ."""
    match value:
        case dict():
            return [f"{name}: {part}" for name, each in value.items() for part in _parts(each)]
        case list() | tuple():
            return [part for each in value for part in _parts(each)]
        case _:
            return [repr(value)]
