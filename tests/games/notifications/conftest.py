"""Fixtures of webhook receivers and endpoints."""

from collections.abc import Iterator
from typing import Any

import pytest

from games.identity.models import Player
from games.notifications.models import Webhook
from games.notifications.webhooks import create_webhook
from tests.support.receiver import Receiver, run_receiver


@pytest.fixture
def allow_loopback(settings: Any) -> None:
    """Allow webhooks to loopback addresses."""
    settings.HAGGIS_WEBHOOKS_LOCAL = True


@pytest.fixture
def receiver(allow_loopback: None) -> Iterator[Receiver]:
    """Run a local webhook receiver."""
    with run_receiver() as running:
        yield running


def make_endpoint(player: Player, url: str = "https://bots.example/hook", **fields: Any) -> Webhook:
    """Create an endpoint of this player."""
    return create_webhook(player=player, url=url, **fields).webhook
