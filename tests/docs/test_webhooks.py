"""The programs of docs/webhooks.md work with real webhooks."""

import json
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from django.utils import timezone

from games.core.secrets import Secret
from games.matches.models.log import SUBSCRIBABLE_TYPES
from games.notifications.deliveries import RETRY_DELAYS, build_headers, dispatch
from games.notifications.http_client import TOTAL_TIMEOUT_SECONDS
from games.notifications.models import Delivery, Webhook
from tests.support.clients import client_of, make_person
from tests.support.factories import start_match
from tests.support.processes import wait_for
from tests.support.requirements import free_port

GUIDE: Final = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text()
BLOCKS: Final = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
RECEIVER, BY_HAND = BLOCKS


@pytest.fixture
def local_webhooks_allowed(settings: Any) -> None:
    settings.HAGGIS_WEBHOOKS_LOCAL = True


def request_body() -> Any:
    """Return the request body of the guide."""
    found = re.search(r"-d '(\{.*?\})'", GUIDE)
    assert found is not None
    return json.loads(found[1])


def test_receiver_of_the_guide_accepts_webhooks_of_a_match(
    committing_database: str, local_webhooks_allowed: None, tmp_path: Path
) -> None:
    me, port = make_person(), free_port()
    body = {**request_body(), "url": f"http://127.0.0.1:{port}/", "types": None}
    secret = client_of(me).post("/api/v1/me/webhooks", body).json()["secret"]
    environment = {"WEBHOOK_SECRET": secret, "PORT": str(port)}
    said = tmp_path / "said"
    with said.open("w") as output:
        running = subprocess.Popen([sys.executable, "-c", RECEIVER], env=environment, stdout=output)
    try:
        wait_for("the receiver", lambda: _is_listening(port))
        match = start_match(me, make_person())
        assert dispatch() == 1
        Webhook.objects.update(secret=Secret("whsec_" + "A" * 40))
        Delivery.objects.update(status="pending", due_at="2026-01-01T00:00Z")
        assert dispatch() == 1
    finally:
        running.kill()
        running.wait()
    attempts = [each["status"] for each in Delivery.objects.get().attempts]
    assert attempts == [204, 401]
    [line] = said.read_text().splitlines()
    assert line.startswith("started")
    assert match.pk in line


def _is_listening(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def test_manual_verification_accepts_only_genuine_webhooks(database: str) -> None:
    names: dict[str, Any] = {}
    exec(BY_HAND, names)  # noqa: S102 -- code of the guide
    secret = "whsec_" + "c2VjcmV0" * 4
    headers = build_headers("msg_1", '{"a":1}', [Secret(secret)], timezone.now())
    genuine = names["is_genuine"]
    assert genuine(secret, headers, b'{"a":1}')
    assert not genuine(secret, headers, b'{"a":2}')
    assert not genuine("whsec_AAAA", headers, b'{"a":1}')
    assert not genuine(secret, {**headers, "webhook-id": "msg_2"}, b'{"a":1}')
    assert not genuine(secret, {**headers, "webhook-timestamp": "1"}, b'{"a":1}')


def test_response_in_the_guide_has_the_members_of_the_service(database: str) -> None:
    answer = client_of(make_person()).post("/api/v1/me/webhooks", request_body()).json()
    shown = re.search(r'\{"secret":"whsec.*?\.\.\.\}', GUIDE, re.DOTALL)
    assert shown is not None
    named = re.findall(r'"(\w+)":', shown[0])
    assert named == [name for name in answer if name in named]
    assert set(named) <= answer.keys()


def test_types_and_retry_times_of_the_guide_match_the_service() -> None:
    types = re.search(r"`types` are the types of log entries \((.*?)\.\.\.\).*?\((.*?)\)", GUIDE, re.DOTALL)
    assert types is not None
    assert set(re.findall(r"`(\w+)`", types[1] + types[2])) <= set(SUBSCRIBABLE_TYPES)
    said = re.search(r"retried after (.*?), each plus or minus", GUIDE, re.DOTALL)
    assert said is not None
    units = {"s": 1, "min": 60, "h": 3600}
    waits = [int(n) * units[unit] for n, unit in re.findall(r"(\d+) (s|min|h)\b", said[1])]
    assert waits == [wait.total_seconds() for wait in RETRY_DELAYS]
    assert TOTAL_TIMEOUT_SECONDS == 10
