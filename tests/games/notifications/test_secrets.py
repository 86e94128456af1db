"""Rotation of webhook secrets: old and new secrets sign during the overlap."""

from datetime import timedelta
from typing import Any

import pytest
from standardwebhooks import Webhook as Signer
from standardwebhooks import WebhookVerificationError

from games.core.errors import Problem
from games.core.secrets import Secret
from games.identity.models import Player
from games.notifications.deliveries import dispatch
from games.notifications.models import Webhook
from games.notifications.webhooks import (
    DEFAULT_OVERLAP,
    MAX_OLD_SECRETS,
    MAX_OVERLAP,
    create_webhook,
    rotate_secret,
    send_test,
)
from tests.support.factories import make_player
from tests.support.receiver import Received, Receiver


class Endpoint:
    """A webhook endpoint with all secrets that it has had."""

    def __init__(self, player: Player, url: str) -> None:
        new = create_webhook(player=player, url=url)
        self.player, self.id = player, new.webhook.public_id
        self.secrets = [new.secret]

    def rotate(self, **options: Any) -> None:
        self.secrets.append(rotate_secret(player=self.player, webhook_id=self.id, **options).secret)

    def verifying_secrets(self, receiver: Receiver) -> list[int]:
        """Return the indices of the secrets that verify a message that is sent now."""
        send_test(player=self.player, webhook_id=self.id)
        dispatch()
        message = receiver.received[-1]
        return [number for number, secret in enumerate(self.secrets) if verifies(message, secret)]


def verifies(message: Received, secret: Secret[str]) -> bool:
    try:
        Signer(secret.reveal()).verify(message.body, message.headers)
    except WebhookVerificationError:
        return False
    return True


@pytest.fixture
def endpoint(committing_database: str, receiver: Receiver) -> Endpoint:
    return Endpoint(make_player(), receiver.url)


def advance_clock(monkeypatch: pytest.MonkeyPatch, time: timedelta) -> None:
    """Move the clock that secrets expire by ahead."""
    before = Webhook.valid_old_secrets
    monkeypatch.setattr(Webhook, "valid_old_secrets", lambda webhook, now: before(webhook, now + time))


def test_old_and_new_secret_sign_until_the_overlap_ends(
    endpoint: Endpoint, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert endpoint.verifying_secrets(receiver) == [0]
    endpoint.rotate()
    assert endpoint.verifying_secrets(receiver) == [0, 1]
    advance_clock(monkeypatch, DEFAULT_OVERLAP - timedelta(minutes=1))
    assert endpoint.verifying_secrets(receiver) == [0, 1]
    advance_clock(monkeypatch, DEFAULT_OVERLAP + timedelta(minutes=1))
    assert endpoint.verifying_secrets(receiver) == [1]


def test_rotation_without_overlap_expires_all_old_secrets(endpoint: Endpoint, receiver: Receiver) -> None:
    endpoint.rotate()
    endpoint.rotate(overlap_seconds=0)
    assert endpoint.verifying_secrets(receiver) == [2]
    assert Webhook.objects.get().old_secrets is None


def test_repeated_rotation_leaves_earlier_secrets_valid(endpoint: Endpoint, receiver: Receiver) -> None:
    for _ in range(MAX_OLD_SECRETS):
        endpoint.rotate()
    assert endpoint.verifying_secrets(receiver) == list(range(MAX_OLD_SECRETS + 1))
    endpoint.rotate()
    assert endpoint.verifying_secrets(receiver) == list(range(1, MAX_OLD_SECRETS + 2))


def test_later_rotation_does_not_extend_old_secrets(
    endpoint: Endpoint, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint.rotate(overlap_seconds=60)
    endpoint.rotate(overlap_seconds=int(MAX_OVERLAP.total_seconds()))
    advance_clock(monkeypatch, timedelta(minutes=2))
    assert endpoint.verifying_secrets(receiver) == [1, 2]


def test_webhook_of_another_player_cannot_be_rotated(endpoint: Endpoint) -> None:
    with pytest.raises(Problem):
        rotate_secret(player=make_player(), webhook_id=endpoint.id)


def test_old_secrets_are_never_printed(endpoint: Endpoint) -> None:
    endpoint.rotate()
    webhook = Webhook.objects.get()
    [old] = webhook.valid_old_secrets(webhook.created_at)
    assert old.secret == endpoint.secrets[0]
    assert "whsec" not in f"{vars(webhook)} {old}"
