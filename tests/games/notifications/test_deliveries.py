"""Sending of webhook deliveries: order, signatures, retries, backoff and leases."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from standardwebhooks import WebhookVerificationError

from games.core.secrets import Secret
from games.identity.models import Player
from games.matches.models.log import Move
from games.matches.models.match import Match
from games.notifications import deliveries
from games.notifications.deliveries import (
    FAILING_ATTEMPTS,
    FAILING_LIMIT,
    LEASE,
    RETRY_DELAYS,
    DeliveryResult,
    claim_batches,
    dispatch,
    record_results,
    send_batch,
)
from games.notifications.http_client import HttpResult
from games.notifications.models import Delivery, Notice, Webhook
from games.notifications.webhooks import change_webhook, create_webhook, redeliver, send_test
from tests.games.notifications.conftest import make_endpoint
from tests.support.factories import make_player, start_match
from tests.support.receiver import Receiver, run_receiver
from tests.support.table import Table

LONG_AGO = timedelta(days=9)


def make_everything_due() -> None:
    """Make all pending deliveries due, and end all leases and backoffs."""
    Delivery.objects.exclude(due_at=None).update(due_at=timezone.now() - LONG_AGO)
    Webhook.objects.update(rests_until=None)


def play_match(me: Player, **fields: Any) -> Match:
    """Play a match of two players to its end."""
    match = start_match(me, make_player(), rounds=1, **fields)
    Table.of(match).finish()
    return match


def test_events_of_a_match_arrive_signed_and_in_order(committing_database: str, receiver: Receiver) -> None:
    me = make_player()
    new = create_webhook(player=me, url=receiver.url)
    match = play_match(me)
    entries = list(Move.objects.filter(match=match).order_by("version").values_list("entry", flat=True))
    assert dispatch() == len(entries)
    events = [each.verified(new.secret.reveal()) for each in receiver.received]
    assert [each["data"]["entry"] for each in events] == entries
    assert {each["data"]["match"] for each in events} == {match.pk}
    assert [(each["data"]["your_seat"], each["data"]["your_turn"]) for each in events] == [
        (0, entry["next"]["to_act"] == 0) for entry in entries
    ]
    assert [(each["type"], each["timestamp"]) for each in events] == [(e["type"], e["at"]) for e in entries]
    assert set(Delivery.objects.values_list("status", "due_at")) == {("delivered", None)}
    assert len({each.id for each in receiver.received}) == len(entries)


def test_secret_of_another_webhook_does_not_verify(committing_database: str, receiver: Receiver) -> None:
    me = make_player()
    create_webhook(player=me, url=receiver.url)
    other = create_webhook(player=me, url=receiver.url, types=["cancelled"])
    start_match(me, make_player())
    dispatch()
    with pytest.raises(WebhookVerificationError):
        receiver.received[0].verified(other.secret.reveal())


def test_failed_delivery_is_retried_with_the_same_id(committing_database: str, receiver: Receiver) -> None:
    me = make_player()
    webhook = make_endpoint(me, receiver.url)
    receiver.answer = lambda _: 500 if len(receiver.received) == 1 else 200
    start_match(me, make_player())
    assert dispatch() == 1
    assert dispatch() == 0
    pending = Delivery.objects.get()
    assert pending.due_at is not None
    assert RETRY_DELAYS[0] * 0.7 < pending.due_at - timezone.now() < RETRY_DELAYS[0] * 1.3
    assert (pending.status, pending.tried) == ("pending", 1)
    assert Webhook.objects.get(pk=webhook.pk).failing_since is not None
    make_everything_due()
    assert dispatch() == 1
    first, second = receiver.received
    assert first.id == second.id
    assert first.body == second.body
    done = Delivery.objects.get()
    assert [each["status"] for each in done.attempts] == [500, 200]
    assert done.attempts[0].keys() == {"at", "status", "error", "milliseconds"}
    assert "whatever" not in repr(done.attempts)
    assert Webhook.objects.get(pk=webhook.pk).failing_since is None


def test_later_events_wait_for_a_failed_delivery(committing_database: str, receiver: Receiver) -> None:
    me = make_player()
    make_endpoint(me, receiver.url)
    receiver.answer = lambda _: 500
    play_match(me)
    assert dispatch() == 1
    assert dispatch() == 0


def test_retry_delays_grow_until_the_delivery_fails(committing_database: str, receiver: Receiver) -> None:
    me = make_player()
    make_endpoint(me, receiver.url)
    receiver.answer = lambda _: 503
    start_match(me, make_player())
    for wait in RETRY_DELAYS:
        assert dispatch() == 1
        due = Delivery.objects.get().due_at
        assert due is not None
        assert wait * 0.7 < due - timezone.now() < wait * 1.3
        make_everything_due()
    assert dispatch() == 1
    exhausted = Delivery.objects.get()
    assert (exhausted.status, exhausted.due_at, len(exhausted.attempts)) == (
        "failed",
        None,
        len(RETRY_DELAYS) + 1,
    )
    assert sum(RETRY_DELAYS, timedelta()) > timedelta(days=2)


def test_slow_endpoint_does_not_block_others(committing_database: str, allow_loopback: None) -> None:
    me, others = make_player(), make_player()
    with run_receiver() as slow, run_receiver() as quick:
        slow.slow = 1.0
        make_endpoint(me, slow.url)
        make_endpoint(others, quick.url)
        play_match(me)
        match = start_match(others, make_player())
        dispatch(seconds=0.1)
        assert quick.received[0].form["data"]["match"] == match.pk
        assert len(slow.received) <= 16


def test_batch_of_a_dead_dispatcher_is_sent_after_its_lease_expires(
    committing_database: str, receiver: Receiver
) -> None:
    me = make_player()
    make_endpoint(me, receiver.url)
    start_match(me, make_player())
    [batch] = claim_batches(at_most=9)
    assert len(batch.messages) == 1
    send_batch(batch)  # the process dies before it records the results
    assert dispatch() == 0
    Webhook.objects.update(rests_until=timezone.now() - timedelta(seconds=1))
    assert dispatch() == 1
    first, second = receiver.received
    assert (first.id, first.body) == (second.id, second.body)
    assert timedelta(seconds=30) < LEASE


def test_least_recently_served_endpoints_are_claimed_first(
    committing_database: str, allow_loopback: None
) -> None:
    now = timezone.now()
    for age in (1, 3, 2):
        player = make_player()
        webhook = make_endpoint(player, f"http://127.0.0.1:{age}/")
        start_match(player, make_player())
        Webhook.objects.filter(pk=webhook.pk).update(served_at=now - timedelta(hours=age))
    never = make_player()
    make_endpoint(never, "http://127.0.0.1:4/")
    start_match(never, make_player())
    urls = [batch.url[-2] for batch in claim_batches(at_most=3)]
    assert urls == ["4", "3", "2"]


def test_claimed_endpoint_is_not_claimed_again(committing_database: str) -> None:
    me = make_player()
    make_endpoint(me)
    start_match(me, make_player())
    assert len(claim_batches(at_most=5)) == 1
    start_match(me, make_player())
    assert claim_batches(at_most=5) == []


def test_empty_outbox_costs_one_query(database: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert claim_batches(at_most=5) == []
    assert len(queries) == 1


def record_failures(webhook: Webhook, result: HttpResult, times: int = 1) -> Webhook:
    """Record this result several times, and return the endpoint."""
    for _ in range(times):
        make_everything_due()
        [batch] = claim_batches(at_most=1)
        record_results(batch=batch, results=[DeliveryResult(batch.messages[0], result, timezone.now())])
    return Webhook.objects.get(pk=webhook.pk)


def test_backoff_of_an_endpoint_grows_with_failures(database: str) -> None:
    me = make_player()
    webhook = make_endpoint(me)
    for _ in range(20):
        start_match(me, make_player())
    rests = []
    for _ in range(14):
        after = record_failures(webhook, HttpResult(error="timeout"))
        assert after.rests_until is not None
        rests.append((after.rests_until - timezone.now()).total_seconds())
    assert rests[0] < 2
    assert 100 < rests[7] < 200
    assert 400 < rests[-1] < 720


def test_empty_batch_releases_the_endpoint_without_resetting_failures(database: str) -> None:
    me = make_player()
    webhook = make_endpoint(me)
    start_match(me, make_player())
    record_failures(webhook, HttpResult(status=500))
    make_everything_due()
    [batch] = claim_batches(at_most=1)
    record_results(batch=batch, results=[])
    after = Webhook.objects.get(pk=webhook.pk)
    assert (after.failures, after.rests_until) == (1, None)
    assert after.failing_since is not None


def test_endpoint_that_fails_for_long_is_stopped_and_can_be_reactivated(
    database: str,
) -> None:
    me = make_player()
    webhook = make_endpoint(me)
    start_match(me, make_player())
    after = record_failures(webhook, HttpResult(status=500), FAILING_ATTEMPTS - 1)
    Webhook.objects.update(failing_since=timezone.now() - FAILING_LIMIT)
    assert after.active
    after = record_failures(webhook, HttpResult(status=500))
    assert (after.active, after.stopped_because) == (False, "failing")
    notice = Notice.objects.get()
    assert (notice.player_id, notice.kind, notice.about) == (me.pk, "webhook_stopped", webhook.public_id)
    assert after.stopped_at is not None
    make_everything_due()
    assert claim_batches(at_most=5) == []
    again = change_webhook(player=me, webhook_id=webhook.public_id, changes={"active": True})
    assert (again.stopped_because, again.stopped_at, again.failing_since) == ("", None, None)


def test_few_failures_over_a_long_time_do_not_stop_an_endpoint(database: str) -> None:
    me = make_player()
    webhook = make_endpoint(me)
    start_match(me, make_player())
    record_failures(webhook, HttpResult(status=500))
    Webhook.objects.update(failing_since=timezone.now() - FAILING_LIMIT)
    assert record_failures(webhook, HttpResult(status=500)).active


def test_endpoint_that_responds_with_410_is_stopped_at_once(database: str) -> None:
    me = make_player()
    webhook = make_endpoint(me)
    start_match(me, make_player())
    after = record_failures(webhook, HttpResult(status=410))
    assert (after.active, after.stopped_because) == (False, "gone")
    assert Delivery.objects.get().status == "failed"


def test_test_event_is_not_retried(committing_database: str, receiver: Receiver) -> None:
    me = make_player()
    webhook = make_endpoint(me, receiver.url)
    receiver.answer = lambda _: 500
    send_test(player=me, webhook_id=webhook.public_id)
    dispatch()
    assert receiver.received[0].form.keys() == {"type", "timestamp", "data"}
    assert (receiver.received[0].form["type"], receiver.received[0].form["data"]) == ("test", {})
    assert Delivery.objects.get().status == "failed"


def test_redelivery_sends_the_same_request_again(committing_database: str, receiver: Receiver) -> None:
    me = make_player()
    webhook = make_endpoint(me, receiver.url)
    start_match(me, make_player())
    dispatch()
    redeliver(player=me, webhook_id=webhook.public_id, delivery_id=Delivery.objects.get().public_id)
    dispatch()
    first, second = receiver.received
    assert (first.id, first.body) == (second.id, second.body)
    assert len(Delivery.objects.get().attempts) == 2


def test_recording_results_of_a_deleted_endpoint_does_nothing(database: str) -> None:
    me = make_player()
    webhook = make_endpoint(me)
    start_match(me, make_player())
    [batch] = claim_batches(at_most=1)
    webhook.delete()
    record_results(
        batch=batch, results=[DeliveryResult(batch.messages[0], HttpResult(status=200), timezone.now())]
    )
    assert not Delivery.objects.exists()


def test_secrets_are_never_printed(database: str) -> None:
    new = create_webhook(player=make_player(), url="https://bots.example/")
    [batch_secret] = [Webhook.objects.get().secret]
    assert isinstance(batch_secret, Secret)
    assert "whsec" not in repr(new) + repr(vars(Webhook.objects.get())) + str(Webhook.objects.get())
    assert new.secret.reveal().startswith("whsec_")


def test_retry_delays_have_jitter(monkeypatch: pytest.MonkeyPatch) -> None:
    spread = {deliveries._with_jitter(timedelta(seconds=100)).total_seconds() for _ in range(50)}
    assert len(spread) > 40
    assert min(spread) >= 80
    assert max(spread) <= 120


def test_endpoint_stores_a_bounded_number_of_settled_deliveries(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "MAX_STORED_DELIVERIES", 3)
    me = make_player()
    webhook, other = make_endpoint(me), make_endpoint(make_player())
    for _ in range(6):
        start_match(me, make_player())
    Delivery.objects.create(
        public_id="msg_1", webhook=other, type="test", created_at=timezone.now(), status="delivered"
    )
    for _ in range(5):
        record_failures(webhook, HttpResult(status=200))
    assert Delivery.objects.filter(webhook=webhook, status="delivered").count() <= 3
    assert Delivery.objects.filter(webhook=webhook, status="pending").exists()
    assert Delivery.objects.filter(webhook=other).exists()
