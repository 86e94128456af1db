"""OpenAPI operations of webhooks and push messages."""

from typing import Final

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

LIST_WEBHOOKS: Final = Operation(
    id="listWebhooks",
    summary="List your webhook endpoints",
    description="Returns the newest first, without their secrets.",
    tag=WEBHOOKS,
    answers={OK: Page(serializers.WebhookSerializer)},
    links=(Link("readWebhook", {"webhook_id": "$response.body#/results/0/id"}),),
)
CREATE_WEBHOOK: Final = Operation(
    id="createWebhook",
    summary="Create a webhook endpoint",
    description="Only this response contains the secret.",
    tag=WEBHOOKS,
    body=serializers.WebhookRequestSerializer,
    answers={CREATED: serializers.NewWebhookSerializer},
    location="/api/v1/me/webhooks/{id}",
    problems=("limit_reached", "not_found"),
    link_values={"webhook_id": "/id"},
    callback_url="{$request.body#/url}",
)
READ_WEBHOOK: Final = Operation(
    id="readWebhook",
    summary="Get a webhook endpoint",
    description="Returns its settings and whether deliveries fail.",
    tag=WEBHOOKS,
    answers={OK: serializers.WebhookSerializer},
)
CHANGE_WEBHOOK: Final = Operation(
    id="changeWebhook",
    summary="Update a webhook endpoint",
    description="Changes only the fields that you send. Set `active` to true to restart a stopped endpoint.",
    tag=WEBHOOKS,
    body=serializers.WebhookChangesRequestSerializer,
    answers={OK: serializers.WebhookSerializer},
)
DELETE_WEBHOOK: Final = Operation(
    id="deleteWebhook",
    summary="Delete a webhook endpoint",
    description="Also deletes its deliveries.",
    tag=WEBHOOKS,
    answers={NO_CONTENT: None},
)
EXCHANGE_SECRET: Final = Operation(
    id="exchangeWebhookSecret",
    summary="Rotate the secret of a webhook endpoint",
    description=(
        "Only this response contains the new secret. Messages are signed with it from now on and, during the "
        "overlap, also with the previous secrets, so that you can update your receivers in the meantime."
    ),
    tag=WEBHOOKS,
    body=serializers.ExchangeRequestSerializer,
    answers={CREATED: serializers.NewWebhookSerializer},
    location="/api/v1/me/webhooks/{webhook_id}",
)
LIST_DELIVERIES: Final = Operation(
    id="listDeliveries",
    summary="List the deliveries to a webhook endpoint",
    description="Returns the latest first, with their attempts.",
    tag=WEBHOOKS,
    answers={OK: Page(serializers.DeliverySerializer)},
    links=(Link("redeliver", {"delivery_id": "$response.body#/results/0/id"}),),
)
REDELIVER: Final = Operation(
    id="redeliver",
    summary="Send a delivery again",
    description="The delivery keeps its id.",
    tag=WEBHOOKS,
    body=EmptyRequestSerializer,
    answers={ACCEPTED: serializers.DeliverySerializer},
    problems=("webhook_stopped",),
)
TEST_WEBHOOK: Final = Operation(
    id="testWebhook",
    summary="Send a test event to a webhook endpoint",
    description=(
        "Sends an event of the type `test` with empty `data`, or a line to a channel of Discord, once."
    ),
    link_values={"delivery_id": "/id"},
    tag=WEBHOOKS,
    body=EmptyRequestSerializer,
    answers={ACCEPTED: serializers.DeliverySerializer},
    problems=("webhook_stopped",),
)

LIST_NOTICE_ATTEMPTS: Final = Operation(
    id="listNotificationDeliveries",
    summary="List the notifications sent to you",
    description=(
        "Returns the attempts to send you mails and push messages, latest first: the last 100 of the last "
        "30 days. Contents are not stored. A mail about several things has several entries."
    ),
    tag=PUSH,
    answers={OK: Page(serializers.NoticeAttemptSerializer)},
)
TEST_MAIL: Final = Operation(
    id="testEmail",
    summary="Send a test mail",
    description=(
        "Sends a mail to your confirmed address. `GET /me/notifications/deliveries` shows the outcome."
    ),
    tag=PUSH,
    body=EmptyRequestSerializer,
    answers={ACCEPTED: serializers.TestMailSerializer},
    problems=("email_not_confirmed",),
)

READ_PUSH_KEY: Final = Operation(
    id="readPushKey",
    summary="Get the public key for push subscriptions",
    description="Responds with 404 and `push_not_offered` if this service sends no push messages.",
    tag=PUSH,
    answers={OK: serializers.PushKeySerializer},
    problems=("push_not_offered",),
)
LIST_DEVICES: Final = Operation(
    id="listDevices",
    summary="List your devices",
    description="Returns the newest first. Devices whose subscription has ended are deleted.",
    tag=PUSH,
    answers={OK: Page(serializers.DeviceSerializer)},
)
ADD_DEVICE: Final = Operation(
    id="addDevice",
    summary="Add a device for push messages",
    description=(
        "Send the result of `PushSubscription.toJSON()` without `expirationTime`. Adding a subscription "
        "again updates its device. `notifications.push` of `/me` selects the kinds of messages. A message is "
        "a JSON object with `kind`, `title`, `body`, `path` and `tag`, and contains nothing that is hidden "
        "from spectators."
    ),
    tag=PUSH,
    body=serializers.DeviceRequestSerializer,
    answers={CREATED: serializers.DeviceSerializer},
    location="/api/v1/me/devices/{id}",
    problems=("limit_reached", "push_not_offered"),
    link_values={"device_id": "/id"},
)
REMOVE_DEVICE: Final = Operation(
    id="removeDevice",
    summary="Remove a device",
    description="Messages that were already sent still arrive.",
    tag=PUSH,
    answers={NO_CONTENT: None},
)
TEST_DEVICE: Final = Operation(
    id="testDevice",
    summary="Send a test message to a device",
    description="Sends a message of the kind `test`. Check `told_at` and `failing_since` for the outcome.",
    tag=PUSH,
    body=EmptyRequestSerializer,
    answers={ACCEPTED: serializers.DeviceSerializer},
    problems=("push_not_offered",),
)
