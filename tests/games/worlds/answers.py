"""Compare responses byte by byte and, where these differ, without times and random values."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import unified_diff
from typing import Any, Final

NOTHING: Final[frozenset[str]] = frozenset()
# Times of an action, which differ when it is repeated.
TIMESTAMPS: Final = frozenset({"at", "deadline"})
# Members that depend on the current time, as the cursor of player events does, or that are random.
_TIME_MEMBERS: Final = frozenset({"now", "seconds_left", "expires_at", "ticket", "cursor"})
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
_RANDOM_VALUES: Final = re.compile(r'(csrfmiddlewaretoken" value|nonce)="[^"]*"|\d+ (milli)?seconds?')
_STREAM_CURSOR: Final = re.compile(r'id(": ?"|: )Wy\w*')


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: status, headers, and the body as it came."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @classmethod
    def of(cls, response: Any, content: bytes | None = None) -> "Answer":
        """Return the answer of a response; `content` is the beginning of a stream."""
        headers = {name: value for name, value in response.headers.items() if name not in _CHANGING_HEADERS}
        return cls(response.status_code, headers, response.content if content is None else content)

    def plain(self, ignored: frozenset[str]) -> Any:
        """Return the answer without times, random values and ignored members."""
        media, text = self.headers.get("Content-Type", ""), self.content.decode()
        if "stream" in media or "ndjson" in media:
            names = "|".join(_TIME_MEMBERS | ignored)
            text = re.sub(rf'"({names})":("[^"]*"|\d+|null),?', "", _STREAM_CURSOR.sub("", text))
        elif "json" in media:
            return self.status, self.headers, _without(json.loads(text), _TIME_MEMBERS | ignored)
        return self.status, self.headers, _RANDOM_VALUES.sub("", text).splitlines()


def _without(body: Any, names: frozenset[str]) -> Any:
    match body:
        case dict():
            return {name: _without(each, names) for name, each in body.items() if name not in names}
        case list():
            return [_without(each, names) for each in body]
        case _:
            return body


Observations = Mapping[str, Any]


class WorldsDiffer(AssertionError):
    """Two worlds respond differently."""


def compare(first: Observations, second: Observations, ignored: frozenset[str] = NOTHING) -> None:
    """Raise `WorldsDiffer` unless all differences are times, random values or ignored members."""
    differing = {name for name in first.keys() | second.keys() if first.get(name) != second.get(name)}
    one, other = (
        [f"{name}: {part}" for name in sorted(differing) for part in _parts(_plain(world.get(name), ignored))]
        for world in (first, second)
    )
    difference = "\n".join(unified_diff(one, other, n=0, lineterm=""))
    if difference:
        raise WorldsDiffer(difference[:4000])


def _plain(value: Any, ignored: frozenset[str]) -> Any:
    return value.plain(ignored) if isinstance(value, Answer) else value


def _parts(value: Any) -> list[str]:
    """Split a value into lines for a readable diff."""
    match value:
        case dict():
            return [f"{name}: {part}" for name, each in value.items() for part in _parts(each)]
        case list() | tuple():
            return [part for each in value for part in _parts(each)]
        case _:
            return [repr(value)]
