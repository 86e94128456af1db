"""Cards, tokens and links never reach Redis or a log of any process.

Redis commands are monitored during play, including the bodies of task messages.
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
from tests.support.processes import Redis
from tests.support.requirements import HOST, needs_stack
from tests.support.stored_matches import create_ai_matches, wait_until_finished

pytestmark = [pytest.mark.timeout(400), needs_stack]

# A card as in records; a token; a link of the chain or its seed.
_SECRETS: Final = {
    "card": re.compile(rb"(?<![\w+/=.-])[2-9T][roygb](?![\w+/=-])"),
    "token": re.compile(rb"haggis_[0-9a-f]{16}"),
    "link": re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])"),
}
_BODY: Final = re.compile(rb'body\\*": \\*"([A-Za-z0-9+/]+=*)')


@contextmanager
def monitor(server: Redis, file: Path) -> Iterator[None]:
    """Record every command sent to this Redis server."""
    with file.open("wb") as written:
        command = [shutil.which("redis-cli") or "redis-cli", "-h", HOST, "-p", str(server.port), "MONITOR"]
        process = subprocess.Popen(command, stdout=written)
        try:
            yield
        finally:
            process.terminate()
            process.wait()


def with_decoded_bodies(traffic: bytes) -> bytes:
    """Append the decoded bodies of task messages."""
    return traffic + b"\n".join(_decoded(body) for body in _BODY.findall(traffic))


def _decoded(body: bytes) -> bytes:
    try:
        return base64.b64decode(body)
    except binascii.Error:
        return b""


def secrets_in(traffic: bytes) -> dict[str, list[bytes]]:
    """Return the secrets in a text, each with its surroundings."""
    found = {
        name: [traffic[max(0, each.start() - 60) : each.end() + 60] for each in pattern.finditer(traffic)]
        for name, pattern in _SECRETS.items()
    }
    return {name: places[:3] for name, places in found.items() if places}


def test_search_finds_secrets() -> None:
    message = base64.b64encode(b'[["m_1", ["7r", "J"]], {}, null]')
    assert "card" in secrets_in(with_decoded_bodies(b'"LPUSH" "ai" "{\\"body\\": \\"' + message + b'\\"}"'))
    assert secrets_in(b"Bearer haggis_" + b"0" * 64) != {}
    assert secrets_in(b"link " + b"ab" * 32) != {}
    assert secrets_in(b"m_01m7qh673ezn7dc3hstbc6ggsm 3b-5 request 7g9") == {}


def test_redis_and_logs_contain_no_secrets(
    start_stack: StartStack, redis_server: Redis, tmp_path: Path
) -> None:
    recorded = tmp_path / "heard"
    stack = start_stack()
    with monitor(redis_server, recorded):
        matches = create_ai_matches(stack, 2)
        with Load(stack.port) as load:
            load.wait_for_moves(20)
        wait_until_finished(stack, matches, 90)
        with redis_server.client() as client:
            stored = [key + b" " + (client.dump(key) or b"") for key in client.scan_iter()]
    traffic = with_decoded_bodies(recorded.read_bytes())
    assert b"take_turns" in traffic
    assert any(match.encode() in traffic for match in matches)
    assert secrets_in(traffic) == {}
    assert secrets_in(b"\n".join(stored)) == {}
    logs = sorted(stack.folder.glob("*.log"))
    assert len(logs) > 5
    for log in logs:
        assert secrets_in(log.read_bytes()) == {}, log.name
