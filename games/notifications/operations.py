"""OpenAPI operations of webhooks and push messages, and the webhook request itself."""

from typing import Any, Final

from games.api.schema.components import RESPONSE, Components
from games.api.schema.operations import (
    ACCEPTED,
    CREATED,
    NO_CONTENT,
    OK,
    PUSH,
    WEBHOOKS,
    Link,
    Operation,
    Page,
)
from games.api.serializers import EmptyRequestSerializer
from games.notifications import serializers
from games.notifications.serializers import WebhookEventSerializer

LIST_WEBHOOKS: Final = Operation(
    id="listWebhooks",
    summary="Your endpoints",
    description="The newest first. Their secrets are never shown again.",
    tag=WEBHOOKS,
    answers={OK: Page(serializers.WebhookSerializer)},
    leads=(Link("readWebhook", {"webhook_id": "$response.body#/results/0/id"}),),
)
CREATE_WEBHOOK: Final = Operation(
    id="createWebhook",
    summary="Have events sent to an address",
    description="Its secret is shown in this answer alone.",
    tag=WEBHOOKS,
    body=serializers.WebhookRequestSerializer,
    answers={CREATED: serializers.NewWebhookSerializer},
    problems=("limit_reached", "not_found"),
    makes={"webhook_id": "/id"},
)
READ_WEBHOOK: Final = Operation(
    id="readWebhook",
    summary="One of your endpoints",
    description="What it is told of, and how that goes.",
    tag=WEBHOOKS,
    answers={OK: serializers.WebhookSerializer},
)
CHANGE_WEBHOOK: Final = Operation(
    id="changeWebhook",
    summary="Change one of your endpoints",
    description="Changes what is given. `active` set again starts one that was stopped.",
    tag=WEBHOOKS,
    body=serializers.WebhookChangesRequestSerializer,
    answers={OK: serializers.WebhookSerializer},
)
DELETE_WEBHOOK: Final = Operation(
    id="deleteWebhook",
    summary="Delete one of your endpoints",
    description="With what was sent to it.",
    tag=WEBHOOKS,
    answers={NO_CONTENT: None},
)
EXCHANGE_SECRET: Final = Operation(
    id="exchangeWebhookSecret",
    summary="Give an endpoint a new secret",
    description=(
        "It is shown in this answer alone. Messages are signed with it from now on, and for a while with the "
        "secret before it too, each signature beside the other: receivers may learn the new one meanwhile."
    ),
    tag=WEBHOOKS,
    body=serializers.ExchangeRequestSerializer,
    answers={CREATED: serializers.NewWebhookSerializer},
)
LIST_DELIVERIES: Final = Operation(
    id="listDeliveries",
    summary="What was sent to an endpoint",
    description="The latest first, with each try.",
    tag=WEBHOOKS,
    answers={OK: Page(serializers.DeliverySerializer)},
    leads=(Link("redeliver", {"delivery_id": "$response.body#/results/0/id"}),),
)
REDELIVER: Final = Operation(
    id="redeliver",
    summary="Send a delivery again",
    description="Under the id that it had.",
    tag=WEBHOOKS,
    body=EmptyRequestSerializer,
    answers={ACCEPTED: serializers.DeliverySerializer},
    problems=("webhook_stopped",),
)
TEST_WEBHOOK: Final = Operation(
    id="testWebhook",
    summary="Send a test to an endpoint",
    description="An event of the type `test`, with empty `data`.",
    makes={"delivery_id": "/id"},
    tag=WEBHOOKS,
    body=EmptyRequestSerializer,
    answers={ACCEPTED: serializers.DeliverySerializer},
    problems=("webhook_stopped",),
)

READ_PUSH_KEY: Final = Operation(
    id="readPushKey",
    summary="The key that a browser subscribes with",
    description="Where the service sends no push messages it is 404 with `push_not_offered`.",
    tag=PUSH,
    answers={OK: serializers.PushKeySerializer},
    problems=("push_not_offered",),
)
LIST_DEVICES: Final = Operation(
    id="listDevices",
    summary="Your devices",
    description="The newest first. A device that its push service knows no more is taken off the list.",
    tag=PUSH,
    answers={OK: Page(serializers.DeviceSerializer)},
)
ADD_DEVICE: Final = Operation(
    id="addDevice",
    summary="Be told things on a device",
    description=(
        "Takes what `PushSubscription.toJSON()` gives, but for `expirationTime`. The same again is the same "
        "device. What is told stands in `notifications.push` of `/me`; a message is the JSON of `kind`, "
        "`title`, `body`, `path` and `tag`, and holds nothing that a spectator may not see."
    ),
    tag=PUSH,
    body=serializers.DeviceRequestSerializer,
    answers={CREATED: serializers.DeviceSerializer},
    problems=("limit_reached", "push_not_offered"),
    makes={"device_id": "/id"},
)
REMOVE_DEVICE: Final = Operation(
    id="removeDevice",
    summary="Be told nothing more on a device",
    description="What is on its way still arrives.",
    tag=PUSH,
    answers={NO_CONTENT: None},
)
TEST_DEVICE: Final = Operation(
    id="testDevice",
    summary="Send a test to a device",
    description="A message of the kind `test`. How it went stands in `told_at` and `failing_since`.",
    tag=PUSH,
    body=EmptyRequestSerializer,
    answers={ACCEPTED: serializers.DeviceSerializer},
    problems=("push_not_offered",),
)

Json = dict[str, Any]

_HEADERS: Final = {
    "webhook-id": "The same however often it is sent: whoever has seen it does nothing.",
    "webhook-timestamp": "When it is sent, in seconds since 1970.",
    "webhook-signature": "`v1,` and the signature over id, time and body, in base64 (Standard Webhooks).",
}


def webhooks(components: Components) -> Json:
    """The one request that endpoints get."""
    operation = {
        "operationId": "receiveEvent",
        "summary": "Something happened at a table",
        "description": (
            "Sent to each endpoint that asked for it, at least once, until it answers 2xx. Check the "
            "signature before believing it. It tells what any spectator may see; look at the table for more."
        ),
        "tags": [WEBHOOKS.name],
        "security": [],
        "parameters": [
            {
                "name": name,
                "in": "header",
                "required": True,
                "description": text,
                "schema": {"type": "string"},
            }
            for name, text in _HEADERS.items()
        ],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": components.point_to(WebhookEventSerializer, RESPONSE)}
            },
        },
        "responses": {"2XX": {"description": "It has arrived. The body is not read."}},
    }
    return {"event": {"post": operation}}
