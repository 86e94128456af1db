"""The API of webhooks: create, update, test, redeliver and delete."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from games.api.models import IdempotencyKey
from games.identity.models import Player
from games.notifications.models import Delivery, Webhook
from games.notifications.serializers import WEBHOOK_TYPES
from games.notifications.webhooks import MAX_WEBHOOKS
from tests.games.notifications.test_addresses import stub_dns
from tests.support.clients import client_of, code, field_errors, make_bot, make_guest, make_person
from tests.support.factories import start_match
from tests.support.receiver import push_subscription

V1 = "/api/v1"
HOOKS = f"{V1}/me/webhooks"
URL = "https://bots.example/hook"


def create_endpoint(client: APIClient, **fields: Any) -> Any:
    """Create an endpoint and return the response."""
    answer = client.post(HOOKS, {"url": URL, **fields})
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_creating_a_webhook_returns_its_secret_once(database: str) -> None:
    client = client_of(make_person())
    answer = client.post(HOOKS, {"url": URL}, HTTP_IDEMPOTENCY_KEY="k")
    webhook = answer.json()
    assert answer["Cache-Control"] == "no-store"
    assert webhook.pop("secret").startswith("whsec_")
    assert webhook == {
        "id": webhook["id"],
        "url": URL,
        "format": "standard",
        "description": "",
        "match": None,
        "types": None,
        "active": True,
        "stopped_because": None,
        "stopped_at": None,
        "failing_since": None,
        "created_at": webhook["created_at"],
        "created": webhook["created_at"],
        "old_secrets_until": None,
    }
    assert client.get(f"{HOOKS}/{webhook['id']}").json() == webhook
    assert client.get(HOOKS).json()["results"] == [webhook]
    assert not IdempotencyKey.objects.exists()


def test_creation_ignores_the_idempotency_key(database: str) -> None:
    client = client_of(make_person())
    secrets = {client.post(HOOKS, {"url": URL}, HTTP_IDEMPOTENCY_KEY="k").json()["secret"] for _ in range(2)}
    assert len(secrets) == 2


def test_rotation_returns_the_new_secret_once_and_the_overlap(database: str) -> None:
    client = client_of(make_person())
    webhook = create_endpoint(client)
    address = f"{HOOKS}/{webhook['id']}"
    answer = client.post(f"{address}/secret", {"overlap_seconds": 3600}, HTTP_IDEMPOTENCY_KEY="k")
    assert (answer.status_code, answer["Cache-Control"]) == (201, "no-store")
    exchanged = answer.json()
    assert exchanged["secret"].startswith("whsec_")
    assert exchanged["secret"] != webhook["secret"]
    assert exchanged["old_secrets_until"] > webhook["created_at"]
    assert client.get(address).json() == {
        name: value for name, value in exchanged.items() if name != "secret"
    }
    assert client.post(f"{address}/secret", {"overlap_seconds": 0}).json()["old_secrets_until"] is None
    assert not IdempotencyKey.objects.exists()


@pytest.mark.parametrize("seconds", (-1, 7 * 24 * 3600 + 1))
def test_overlap_out_of_range_is_rejected(database: str, seconds: int) -> None:
    client = client_of(make_person())
    webhook = create_endpoint(client)
    answer = client.post(f"{HOOKS}/{webhook['id']}/secret", {"overlap_seconds": seconds})
    assert [pointer for pointer, _ in field_errors(answer)] == ["/overlap_seconds"]


def test_patch_changes_only_the_given_fields(database: str) -> None:
    client = client_of(make_person())
    webhook = create_endpoint(client, types=["match_end"], description="ends")
    del webhook["secret"]
    address = f"{HOOKS}/{webhook['id']}"
    changes = {"url": "https://bots.example:8443/", "types": ["play", "bet", "play"], "active": False}
    changed = client.patch(address, changes).json()
    assert changed == {**webhook, **changes, "types": ["bet", "play"]}
    assert client.patch(address, {"types": None}).json()["types"] is None
    assert client.patch(address, {}).status_code == 200


def test_deleting_a_webhook_deletes_its_deliveries(database: str) -> None:
    me = make_person()
    client = client_of(me)
    webhook = create_endpoint(client)
    start_match(me, make_person())
    assert Delivery.objects.count() == 1
    assert client.delete(f"{HOOKS}/{webhook['id']}").status_code == 204
    assert not Delivery.objects.exists()
    assert client.delete(f"{HOOKS}/{webhook['id']}").status_code == 404


def test_deliveries_are_listed_with_status_and_attempts(database: str) -> None:
    me = make_person()
    client = client_of(me)
    webhook = create_endpoint(client)
    match = start_match(me, make_person())
    [delivery] = client.get(f"{HOOKS}/{webhook['id']}/deliveries").json()["results"]
    assert delivery == {
        "id": Delivery.objects.get().public_id,
        "type": "started",
        "match": match.pk,
        "version": 1,
        "status": "pending",
        "created_at": delivery["created_at"],
        "created": delivery["created_at"],
        "next_attempt_at": delivery["created_at"],
        "attempts": [],
    }


def test_deliveries_are_paginated_latest_first(database: str) -> None:
    me = make_person()
    client = client_of(me)
    webhook = create_endpoint(client)
    matches = [start_match(me, make_person()).pk for _ in range(3)]
    first = client.get(f"{HOOKS}/{webhook['id']}/deliveries?limit=2").json()
    second = client.get(first["next"]).json()
    assert [each["match"] for each in first["results"] + second["results"]] == matches[::-1]
    assert second["next"] is None


def test_test_and_redelivery_are_queued(database: str) -> None:
    client = client_of(make_person())
    webhook = create_endpoint(client)
    answer = client.post(f"{HOOKS}/{webhook['id']}/test", HTTP_IDEMPOTENCY_KEY="k")
    assert (answer.status_code, answer.json()["type"], answer.json()["status"]) == (202, "test", "pending")
    again = client.post(f"{HOOKS}/{webhook['id']}/test", HTTP_IDEMPOTENCY_KEY="k")
    assert again.json() == answer.json()
    assert Delivery.objects.count() == 1
    Delivery.objects.update(status="failed", due_at=None)
    address = f"{HOOKS}/{webhook['id']}/deliveries/{answer.json()['id']}/redeliver"
    answer = client.post(address)
    assert (answer.status_code, answer.json()["status"]) == (202, "pending")


def test_test_and_redelivery_require_an_active_webhook(database: str) -> None:
    client = client_of(make_person())
    webhook = create_endpoint(client)
    delivery_id = client.post(f"{HOOKS}/{webhook['id']}/test").json()["id"]
    client.patch(f"{HOOKS}/{webhook['id']}", {"active": False})
    for path in ("test", f"deliveries/{delivery_id}/redeliver"):
        assert code(client.post(f"{HOOKS}/{webhook['id']}/{path}")) == "webhook_stopped"


def test_webhook_of_another_player_is_not_found(database: str) -> None:
    webhook = create_endpoint(client_of(make_person()))
    client = client_of(make_person())
    own = create_endpoint(client)
    delivery_id = Delivery.objects.create(
        public_id="msg_1", webhook=Webhook.objects.get(public_id=webhook["id"]), type="test",
        created_at="2026-01-01T00:00Z", due_at="2026-01-01T00:00Z",
    ).public_id  # fmt: skip
    address = f"{HOOKS}/{webhook['id']}"
    answers = [
        client.get(address),
        client.patch(address, {"active": False}),
        client.delete(address),
        client.get(f"{address}/deliveries"),
        client.post(f"{address}/test"),
        client.post(f"{address}/secret"),
        client.post(f"{address}/deliveries/{delivery_id}/redeliver"),
        client.post(f"{HOOKS}/{own['id']}/deliveries/{delivery_id}/redeliver"),
    ]
    assert {(each.status_code, code(each)) for each in answers} == {(404, "not_found")}
    assert [each["id"] for each in client.get(HOOKS).json()["results"]] == [own["id"]]


def test_guests_and_bots_can_create_webhooks(database: str) -> None:
    create_endpoint(make_guest()[1])
    create_endpoint(make_bot(make_person(), "robot")[1])


def test_number_of_webhooks_is_limited(database: str) -> None:
    client = client_of(make_person())
    for _ in range(MAX_WEBHOOKS):
        create_endpoint(client)
    answer = client.post(HOOKS, {"url": URL})
    assert (answer.status_code, code(answer)) == (409, "limit_reached")


@pytest.mark.parametrize(
    ("body", "error"),
    (
        ({"url": "http://bots.example/"}, ("/url", "unusable_url")),
        ({"url": "https://127.0.0.1/"}, ("/url", "unusable_url")),
        ({"url": f"https://bots.example/{'a' * 500}"}, ("/url", "too_long")),
        ({"url": URL, "types": []}, ("/types", "too_short")),
        ({"url": URL, "types": ["rain"]}, ("/types/0", "unknown_value")),
        ({"url": URL, "types": "play"}, ("/types", "not_a_list")),
        ({"url": URL, "format": "slack"}, ("/format", "unknown_value")),
        ({"url": URL, "format": "discord", "types": ["your_turn", "bet"]}, ("/types/1", "unknown_value")),
        ({"url": URL, "match": "m_nowhere"}, ("/match", "unknown_match")),
        ({"url": URL, "secret": "whsec_mine"}, ("/secret", "unknown_field")),
        ({"url": URL, "description": "x" * 101}, ("/description", "too_long")),
    ),
)
def test_invalid_webhook_is_rejected(database: str, body: dict[str, Any], error: tuple[str, str]) -> None:
    assert error in field_errors(client_of(make_person()).post(HOOKS, body))
    assert not Webhook.objects.exists()


def test_all_event_types_can_be_selected(database: str) -> None:
    webhook = create_endpoint(client_of(make_person()), types=list(WEBHOOK_TYPES))
    assert sorted(WEBHOOK_TYPES) == webhook["types"]


def test_channel_of_discord_gets_turns_unless_other_types_are_selected(database: str) -> None:
    client = client_of(make_person())
    webhook = create_endpoint(client, format="discord")
    assert (webhook["format"], webhook["types"]) == ("discord", ["your_turn"])
    address = f"{HOOKS}/{webhook['id']}"
    changed = client.patch(address, {"types": ["match_end", "security"]}).json()
    assert changed["types"] == ["match_end", "security"]
    assert client.patch(address, {"types": None}).json()["types"] == ["your_turn"]
    assert field_errors(client.patch(address, {"types": ["play"]})) == {("/types/0", "unknown_value")}
    assert field_errors(client.patch(address, {"format": "standard"})) == {("/format", "unknown_field")}


def test_deleting_an_account_deletes_its_webhooks(database: str) -> None:
    player = make_person()
    client = client_of(player)
    create_endpoint(client)
    client.delete(f"{V1}/me")
    assert not Webhook.objects.exists()
    assert not Player.objects.get(pk=player.pk).is_active


@pytest.mark.parametrize("address", ("10.0.0.1", "127.0.0.1", "169.254.169.254", "::1", "fd00:ec2::254"))
def test_url_whose_name_has_a_private_address_is_refused_when_it_is_stored(
    database: str, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    player = make_person()
    client = client_of(player)
    stub_dns(monkeypatch, "9.9.9.9")
    created = client.post(HOOKS, {"url": URL})
    assert created.status_code == 201
    stub_dns(monkeypatch, "9.9.9.9", address)
    assert field_errors(client.post(HOOKS, {"url": URL})) == {("/url", "unusable_url")}
    changed = client.patch(f"{HOOKS}/{created.json()['id']}", {"url": "https://other.example/"})
    assert field_errors(changed) == {("/url", "unusable_url")}
    device = push_subscription("phone")
    assert field_errors(client.post(f"{V1}/me/devices", device)) == {("/endpoint", "unusable_url")}
