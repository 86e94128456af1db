"""No card, token or link is ever seen by Redis or written to a log, by any process of production.

Redis is listened to while matches are played: every command that it is sent, messages to workers opened.
"""

import base64
import binascii
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.chaos.conftest import StartStack
from tests.chaos.load import Load
from tests.chaos.matches import matches_of_ais, play_out
from tests.chaos.stack import Redis
from tests.ports import HOST

pytestmark = [
    pytest.mark.timeout(400),
    pytest.mark.needs("postgresql-programs"),
    pytest.mark.needs("redis-server"),
    pytest.mark.needs("nginx"),
]

# A card as records write it, standing by itself; a token; a link of the chain, or what it is derived from.
_SECRETS: Final = {
    "card": re.compile(rb"(?<![\w+/=.-])[2-9T][roygb](?![\w+/=-])"),
    "token": re.compile(rb"haggis_[0-9a-f]{16}"),
    "link": re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])"),
}
_BODY: Final = re.compile(rb'body\\*": \\*"([A-Za-z0-9+/]+=*)')


@contextmanager
def overheard(server: Redis, file: Path) -> Iterator[None]:
    """Write down every command that this Redis is sent."""
    with file.open("wb") as written:
        command = [shutil.which("redis-cli") or "redis-cli", "-h", HOST, "-p", str(server.port), "MONITOR"]
        listening = subprocess.Popen(command, stdout=written)
        try:
            yield
        finally:
            listening.terminate()
            listening.wait()


def opened(said: bytes) -> bytes:
    """What was said, with the bodies of messages as their workers read them."""
    return said + b"\n".join(_decoded(body) for body in _BODY.findall(said))


def _decoded(body: bytes) -> bytes:
    try:
        return base64.b64decode(body)
    except binascii.Error:
        return b""


def secrets_in(said: bytes) -> dict[str, list[bytes]]:
    """Which secrets stand in it, each with what is around it."""
    found = {
        name: [said[max(0, each.start() - 60) : each.end() + 60] for each in pattern.finditer(said)]
        for name, pattern in _SECRETS.items()
    }
    return {name: places[:3] for name, places in found.items() if places}


def test_secrets_are_found_where_there_are_some() -> None:
    message = base64.b64encode(b'[["m_1", ["7r", "J"]], {}, null]')
    assert "card" in secrets_in(opened(b'"LPUSH" "ai" "{\\"body\\": \\"' + message + b'\\"}"'))
    assert secrets_in(b"Bearer haggis_" + b"0" * 64) != {}
    assert secrets_in(b"link " + b"ab" * 32) != {}
    assert secrets_in(b"m_01m7qh673ezn7dc3hstbc6ggsm 3b-5 request 7g9") == {}


def test_nothing_secret_reaches_redis_or_a_log(
    start_stack: StartStack, redis_server: Redis, tmp_path: Path
) -> None:
    heard = tmp_path / "heard"
    stack = start_stack()
    with overheard(redis_server, heard):
        matches = matches_of_ais(stack, 2)
        with Load(stack.port) as load:
            load.go_on(20)
        play_out(stack, matches, 90)
        with redis_server.client() as client:
            kept = [key + b" " + (client.dump(key) or b"") for key in client.scan_iter()]
    said = opened(heard.read_bytes())
    assert b"take_turns" in said
    assert any(match.encode() in said for match in matches)
    assert secrets_in(said) == {}
    assert secrets_in(b"\n".join(kept)) == {}
    logs = sorted(stack.folder.glob("*.log"))
    assert len(logs) > 5
    for log in logs:
        assert secrets_in(log.read_bytes()) == {}, log.name
