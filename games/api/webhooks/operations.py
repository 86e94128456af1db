"""What clients are told of the routes of webhooks."""

from typing import Final

from games.api.schema.forms import webhooks as forms
from games.api.schema.operation import ACCEPTED, CREATED, NO_CONTENT, OK, Lead, Operation, Page
from games.api.schema.prose import WEBHOOKS
from games.api.shapes import EmptyShape
from games.api.webhooks import shapes

LIST_WEBHOOKS: Final = Operation(
    id="listWebhooks",
    summary="Your endpoints",
    description="The newest first. Their secrets are never shown again.",
    tag=WEBHOOKS,
    answers={OK: Page(forms.WebhookForm)},
    leads=(Lead("readWebhook", {"webhook_id": "$response.body#/results/0/id"}),),
)
CREATE_WEBHOOK: Final = Operation(
    id="createWebhook",
    summary="Have events sent to an address",
    description="Its secret is shown in this answer alone.",
    tag=WEBHOOKS,
    body=shapes.WebhookShape,
    answers={CREATED: forms.NewWebhookForm},
    problems=("limit_reached", "not_found"),
    makes={"webhook_id": "/id"},
)
READ_WEBHOOK: Final = Operation(
    id="readWebhook",
    summary="One of your endpoints",
    description="What it is told of, and how that goes.",
    tag=WEBHOOKS,
    answers={OK: forms.WebhookForm},
)
CHANGE_WEBHOOK: Final = Operation(
    id="changeWebhook",
    summary="Change one of your endpoints",
    description="Changes what is given. `active` set again starts one that was stopped.",
    tag=WEBHOOKS,
    body=shapes.WebhookChangesShape,
    answers={OK: forms.WebhookForm},
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
    body=shapes.ExchangeShape,
    answers={CREATED: forms.NewWebhookForm},
)
LIST_DELIVERIES: Final = Operation(
    id="listDeliveries",
    summary="What was sent to an endpoint",
    description="The latest first, with each try.",
    tag=WEBHOOKS,
    answers={OK: Page(forms.DeliveryForm)},
    leads=(Lead("redeliver", {"delivery_id": "$response.body#/results/0/id"}),),
)
REDELIVER: Final = Operation(
    id="redeliver",
    summary="Send a delivery again",
    description="Under the id that it had.",
    tag=WEBHOOKS,
    body=EmptyShape,
    answers={ACCEPTED: forms.DeliveryForm},
    problems=("webhook_stopped",),
)
TEST_WEBHOOK: Final = Operation(
    id="testWebhook",
    summary="Send a test to an endpoint",
    description="An event of the type `test`, with empty `data`.",
    makes={"delivery_id": "/id"},
    tag=WEBHOOKS,
    body=EmptyShape,
    answers={ACCEPTED: forms.DeliveryForm},
    problems=("webhook_stopped",),
)
