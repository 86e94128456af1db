"""A new secret for an endpoint: both sign, for as long as was asked for."""

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
    """One endpoint, with every secret that it ever had."""

    def __init__(self, player: Player, url: str) -> None:
        new = create_webhook(player=player, url=url)
        self.player, self.id = player, new.webhook.public_id
        self.secrets = [new.secret]

    def exchange(self, **asked: Any) -> None:
        self.secrets.append(rotate_secret(player=self.player, webhook_id=self.id, **asked).secret)

    def signing(self, receiver: Receiver) -> list[int]:
        """By which of its secrets a message that it is sent now can be verified."""
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


def pass_by(monkeypatch: pytest.MonkeyPatch, time: timedelta) -> None:
    """Let the clock that secrets end by be ahead."""
    before = Webhook.valid_old_secrets
    monkeypatch.setattr(Webhook, "valid_old_secrets", lambda webhook, now: before(webhook, now + time))


def test_a_message_is_signed_with_the_old_and_the_new_secret_until_the_old_one_is_over(
    endpoint: Endpoint, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert endpoint.signing(receiver) == [0]
    endpoint.exchange()
    assert endpoint.signing(receiver) == [0, 1]
    pass_by(monkeypatch, DEFAULT_OVERLAP - timedelta(minutes=1))
    assert endpoint.signing(receiver) == [0, 1]
    pass_by(monkeypatch, DEFAULT_OVERLAP + timedelta(minutes=1))
    assert endpoint.signing(receiver) == [1]


def test_a_secret_that_got_out_is_over_at_once_and_those_before_it_too(
    endpoint: Endpoint, receiver: Receiver
) -> None:
    endpoint.exchange()
    endpoint.exchange(overlap_seconds=0)
    assert endpoint.signing(receiver) == [2]
    assert Webhook.objects.get().old_secrets is None


def test_whoever_asks_again_for_want_of_an_answer_does_not_lose_what_receivers_know(
    endpoint: Endpoint, receiver: Receiver
) -> None:
    for _ in range(MAX_OLD_SECRETS):
        endpoint.exchange()
    assert endpoint.signing(receiver) == list(range(MAX_OLD_SECRETS + 1))
    endpoint.exchange()
    assert endpoint.signing(receiver) == list(range(1, MAX_OLD_SECRETS + 2))


def test_a_later_exchange_makes_no_secret_last_longer(
    endpoint: Endpoint, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint.exchange(overlap_seconds=60)
    endpoint.exchange(overlap_seconds=int(MAX_OVERLAP.total_seconds()))
    pass_by(monkeypatch, timedelta(minutes=2))
    assert endpoint.signing(receiver) == [1, 2]


def test_nobody_elses_endpoint_is_given_a_secret(endpoint: Endpoint) -> None:
    with pytest.raises(Problem):
        rotate_secret(player=make_player(), webhook_id=endpoint.id)


def test_secrets_that_are_over_do_not_print_either(endpoint: Endpoint) -> None:
    endpoint.exchange()
    webhook = Webhook.objects.get()
    [old] = webhook.valid_old_secrets(webhook.created_at)
    assert old.secret == endpoint.secrets[0]
    assert "whsec" not in f"{vars(webhook)} {old}"
