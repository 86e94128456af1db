"""Receivers on this machine, and endpoints that lead to them."""

from collections.abc import Iterator
from typing import Any

import pytest

from games.identity.models import Player
from games.notifications.models import Webhook
from games.notifications.webhooks import create_webhook
from tests.support.receiver import Receiver, receiving


@pytest.fixture
def local(settings: Any) -> None:
    """Allow what a desk allows."""
    settings.HAGGIS_WEBHOOKS_LOCAL = True


@pytest.fixture
def receiver(local: None) -> Iterator[Receiver]:
    """Somebody who is sent webhooks."""
    with receiving() as there:
        yield there


def endpoint(player: Player, url: str = "https://bots.example/hook", **asked: Any) -> Webhook:
    """An endpoint of this player."""
    return create_webhook(player=player, url=url, **asked).webhook
