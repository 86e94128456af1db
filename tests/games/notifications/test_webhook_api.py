"""Endpoints by HTTP: named, changed, tried, taken away; one's own alone."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from games.api.models import IdempotencyKey
from games.identity.models import Player
from games.matches.models.log import SUBSCRIBABLE_TYPES
from games.notifications.models import Delivery, Webhook
from games.notifications.webhooks import MAX_WEBHOOKS
from tests.support.clients import bot_of, client_of, code, faults, guest, person
from tests.support.factories import start_match

V1 = "/api/v1"
HOOKS = f"{V1}/me/webhooks"
URL = "https://bots.example/hook"


def named(client: APIClient, **asked: Any) -> Any:
    """An endpoint of this client's, as it was answered."""
    answer = client.post(HOOKS, {"url": URL, **asked})
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_a_new_endpoint_shows_its_secret_once(database: str) -> None:
    client = client_of(person())
    answer = client.post(HOOKS, {"url": URL}, HTTP_IDEMPOTENCY_KEY="k")
    made = answer.json()
    assert answer["Cache-Control"] == "no-store"
    assert made.pop("secret").startswith("whsec_")
    assert made == {
        "id": made["id"],
        "url": URL,
        "description": "",
        "match": None,
        "types": None,
        "active": True,
        "stopped_because": None,
        "stopped_at": None,
        "failing_since": None,
        "created": made["created"],
        "old_secrets_until": None,
    }
    assert client.get(f"{HOOKS}/{made['id']}").json() == made
    assert client.get(HOOKS).json()["results"] == [made]
    assert not IdempotencyKey.objects.exists()


def test_two_requests_under_one_key_are_two_endpoints_since_secrets_are_never_kept(database: str) -> None:
    client = client_of(person())
    secrets = {client.post(HOOKS, {"url": URL}, HTTP_IDEMPOTENCY_KEY="k").json()["secret"] for _ in range(2)}
    assert len(secrets) == 2


def test_a_new_secret_is_shown_once_and_says_how_long_the_old_one_signs(database: str) -> None:
    client = client_of(person())
    made = named(client)
    address = f"{HOOKS}/{made['id']}"
    answer = client.post(f"{address}/secret", {"overlap_seconds": 3600}, HTTP_IDEMPOTENCY_KEY="k")
    assert (answer.status_code, answer["Cache-Control"]) == (201, "no-store")
    exchanged = answer.json()
    assert exchanged["secret"].startswith("whsec_")
    assert exchanged["secret"] != made["secret"]
    assert exchanged["old_secrets_until"] > made["created"]
    assert client.get(address).json() == {
        name: value for name, value in exchanged.items() if name != "secret"
    }
    assert client.post(f"{address}/secret", {"overlap_seconds": 0}).json()["old_secrets_until"] is None
    assert not IdempotencyKey.objects.exists()


@pytest.mark.parametrize("seconds", (-1, 7 * 24 * 3600 + 1))
def test_the_overlap_of_two_secrets_has_its_limits(database: str, seconds: int) -> None:
    client = client_of(person())
    made = named(client)
    answer = client.post(f"{HOOKS}/{made['id']}/secret", {"overlap_seconds": seconds})
    assert [pointer for pointer, _ in faults(answer)] == ["/overlap_seconds"]


def test_what_is_given_is_changed_and_nothing_else(database: str) -> None:
    client = client_of(person())
    made = named(client, types=["match_end"], description="ends")
    del made["secret"]
    address = f"{HOOKS}/{made['id']}"
    changes = {"url": "https://bots.example:8443/", "types": ["play", "bet", "play"], "active": False}
    changed = client.patch(address, changes).json()
    assert changed == {**made, **changes, "types": ["bet", "play"]}
    assert client.patch(address, {"types": None}).json()["types"] is None
    assert client.patch(address, {}).status_code == 200


def test_whoever_takes_an_endpoint_away_takes_its_deliveries(database: str) -> None:
    me = person()
    client = client_of(me)
    made = named(client)
    start_match(me, person())
    assert Delivery.objects.count() == 1
    assert client.delete(f"{HOOKS}/{made['id']}").status_code == 204
    assert not Delivery.objects.exists()
    assert client.delete(f"{HOOKS}/{made['id']}").status_code == 404


def test_deliveries_show_what_was_sent_and_how_it_went(database: str) -> None:
    me = person()
    client = client_of(me)
    made = named(client)
    match = start_match(me, person())
    [shown] = client.get(f"{HOOKS}/{made['id']}/deliveries").json()["results"]
    assert shown == {
        "id": Delivery.objects.get().public_id,
        "type": "started",
        "match": match.pk,
        "version": 1,
        "status": "pending",
        "created": shown["created"],
        "next_attempt_at": shown["created"],
        "attempts": [],
    }


def test_deliveries_come_a_page_at_a_time_the_latest_first(database: str) -> None:
    me = person()
    client = client_of(me)
    made = named(client)
    matches = [start_match(me, person()).pk for _ in range(3)]
    first = client.get(f"{HOOKS}/{made['id']}/deliveries?limit=2").json()
    second = client.get(first["next"]).json()
    assert [each["match"] for each in first["results"] + second["results"]] == matches[::-1]
    assert second["next"] is None


def test_a_test_and_one_more_try_are_put_into_the_outbox(database: str) -> None:
    client = client_of(person())
    made = named(client)
    answer = client.post(f"{HOOKS}/{made['id']}/test", HTTP_IDEMPOTENCY_KEY="k")
    assert (answer.status_code, answer.json()["type"], answer.json()["status"]) == (202, "test", "pending")
    again = client.post(f"{HOOKS}/{made['id']}/test", HTTP_IDEMPOTENCY_KEY="k")
    assert again.json() == answer.json()
    assert Delivery.objects.count() == 1
    Delivery.objects.update(status="failed", due_at=None)
    address = f"{HOOKS}/{made['id']}/deliveries/{answer.json()['id']}/redeliver"
    answer = client.post(address)
    assert (answer.status_code, answer.json()["status"]) == (202, "pending")


def test_nothing_is_tried_at_an_endpoint_that_is_stopped(database: str) -> None:
    client = client_of(person())
    made = named(client)
    tried = client.post(f"{HOOKS}/{made['id']}/test").json()["id"]
    client.patch(f"{HOOKS}/{made['id']}", {"active": False})
    for path in ("test", f"deliveries/{tried}/redeliver"):
        assert code(client.post(f"{HOOKS}/{made['id']}/{path}")) == "webhook_stopped"


def test_an_endpoint_is_its_players_alone(database: str) -> None:
    made = named(client_of(person()))
    client = client_of(person())
    own = named(client)
    tried = Delivery.objects.create(
        public_id="msg_1", webhook=Webhook.objects.get(public_id=made["id"]), type="test",
        created_at="2026-01-01T00:00Z", due_at="2026-01-01T00:00Z",
    ).public_id  # fmt: skip
    address = f"{HOOKS}/{made['id']}"
    answers = [
        client.get(address),
        client.patch(address, {"active": False}),
        client.delete(address),
        client.get(f"{address}/deliveries"),
        client.post(f"{address}/test"),
        client.post(f"{address}/secret"),
        client.post(f"{address}/deliveries/{tried}/redeliver"),
        client.post(f"{HOOKS}/{own['id']}/deliveries/{tried}/redeliver"),
    ]
    assert {(each.status_code, code(each)) for each in answers} == {(404, "not_found")}
    assert [each["id"] for each in client.get(HOOKS).json()["results"]] == [own["id"]]


def test_guests_and_bots_have_endpoints_too(database: str) -> None:
    named(guest()[1])
    named(bot_of(person(), "robot")[1])


def test_there_are_so_many_endpoints_and_no_more(database: str) -> None:
    client = client_of(person())
    for _ in range(MAX_WEBHOOKS):
        named(client)
    answer = client.post(HOOKS, {"url": URL})
    assert (answer.status_code, code(answer)) == (409, "limit_reached")


@pytest.mark.parametrize(
    ("body", "fault"),
    (
        ({"url": "http://bots.example/"}, ("/url", "unusable_url")),
        ({"url": "https://127.0.0.1/"}, ("/url", "unusable_url")),
        ({"url": f"https://bots.example/{'a' * 500}"}, ("/url", "too_long")),
        ({"url": URL, "types": []}, ("/types", "too_short")),
        ({"url": URL, "types": ["rain"]}, ("/types/0", "unknown_value")),
        ({"url": URL, "types": "play"}, ("/types", "not_a_list")),
        ({"url": URL, "match": "m_nowhere"}, ("/match", "unknown_match")),
        ({"url": URL, "secret": "whsec_mine"}, ("/secret", "unknown_field")),
        ({"url": URL, "description": "x" * 101}, ("/description", "too_long")),
    ),
)
def test_what_can_be_no_endpoint_is_refused(
    database: str, body: dict[str, Any], fault: tuple[str, str]
) -> None:
    assert fault in faults(client_of(person()).post(HOOKS, body))
    assert not Webhook.objects.exists()


def test_every_type_that_there_is_can_be_asked_for(database: str) -> None:
    made = named(client_of(person()), types=list(SUBSCRIBABLE_TYPES))
    assert sorted(SUBSCRIBABLE_TYPES) == made["types"]


def test_a_deleted_account_leaves_no_endpoint(database: str) -> None:
    player = person()
    client = client_of(player)
    named(client)
    client.delete(f"{V1}/me")
    assert not Webhook.objects.exists()
    assert not Player.objects.get(pk=player.pk).is_active
