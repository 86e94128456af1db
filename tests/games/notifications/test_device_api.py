"""The API of devices, and of a service that sends no push messages."""

from typing import Any

import pytest

from games.notifications import encryption
from games.notifications.models import Device, Notice
from tests.support.clients import (
    anonymous_client,
    client_of,
    code,
    field_errors,
    make_bot,
    make_guest,
    make_person,
)
from tests.support.receiver import push_subscription

V1 = "/api/v1"
DEVICES = f"{V1}/me/devices"


def test_push_key_is_public(database: str) -> None:
    answer = anonymous_client().get(f"{V1}/push/key")
    assert (answer.status_code, answer.json()) == (200, {"public_key": encryption.public_key()})


def test_device_is_rendered_without_its_subscription(database: str) -> None:
    client = client_of(make_person())
    answer = client.post(DEVICES, {**push_subscription("phone"), "name": "my phone"})
    device = answer.json()
    assert (answer.status_code, device) == (
        201,
        {
            "id": device["id"],
            "name": "my phone",
            "service": "push.example",
            "told_at": None,
            "failing_since": None,
            "created_at": device["created_at"],
            "created": device["created_at"],
        },
    )
    assert client.get(DEVICES).json()["results"] == [device]
    assert client.post(DEVICES, push_subscription("phone")).json()["id"] == device["id"]


def test_device_is_deleted(database: str) -> None:
    client = client_of(make_person())
    address = f"{DEVICES}/{client.post(DEVICES, push_subscription('phone')).json()['id']}"
    assert client.delete(address).status_code == 204
    assert client.delete(address).status_code == 404
    assert not Device.objects.exists()


def test_test_message_is_queued(database: str) -> None:
    client = client_of(make_person())
    device = client.post(DEVICES, push_subscription("phone")).json()
    answer = client.post(f"{DEVICES}/{device['id']}/test", HTTP_IDEMPOTENCY_KEY="k")
    assert (answer.status_code, answer.json()) == (202, device)
    notice = Notice.objects.get()
    assert (notice.kind, notice.way, notice.about, notice.devices) == (
        "test", "push", device["id"], [device["id"]],
    )  # fmt: skip


def test_guests_can_add_devices_and_bots_cannot(database: str) -> None:
    assert make_guest()[1].post(DEVICES, push_subscription("guests")).status_code == 201
    answer = make_bot(make_person(), "robot")[1].post(DEVICES, push_subscription("robots"))
    assert (answer.status_code, code(answer)) == (403, "insufficient_scope")


def test_push_is_not_offered_without_a_vapid_key(database: str, settings: Any) -> None:
    client = client_of(make_person())
    device = client.post(DEVICES, push_subscription("phone")).json()
    settings.HAGGIS_PUSH_KEY = ""
    responses = [
        client.get(f"{V1}/push/key"),
        client.post(DEVICES, push_subscription("desk")),
        client.post(f"{DEVICES}/{device['id']}/test"),
    ]
    assert {(each.status_code, code(each)) for each in responses} == {(404, "push_not_offered")}
    assert client.get(DEVICES).json()["results"] == [device]
    assert client.delete(f"{DEVICES}/{device['id']}").status_code == 204


@pytest.mark.parametrize(
    ("change", "error"),
    (
        ({"endpoint": "https://192.168.0.1/"}, ("/endpoint", "unusable_url")),
        ({"endpoint": "https://push.example/" + "x" * 1000}, ("/endpoint", "too_long")),
        ({"keys": {"auth": "x"}}, ("/keys/p256dh", "required")),
        ({"keys": []}, ("/keys", "not_an_object")),
        ({"keys": {"p256dh": "x", "auth": "x"}}, ("/keys/p256dh", "invalid")),
        ({"expirationTime": None}, ("/expirationTime", "unknown_field")),
    ),
)
def test_invalid_device_is_rejected(database: str, change: dict[str, Any], error: tuple[str, str]) -> None:
    assert error in field_errors(client_of(make_person()).post(DEVICES, push_subscription("x") | change))
    assert not Device.objects.exists()
