"""Endpoints of webhooks and devices."""

from datetime import datetime
from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, Needs, signed_in
from games.api.idempotency import idempotent, never_kept
from games.api.pagination import Order, page
from games.api.schema.operations import Operation
from games.api.serializers import EmptyShape
from games.api.views import ApiView, done, secret_answer
from games.identity.models import Scope
from games.notifications import encryption, operations, push, webhooks
from games.notifications.push import refuse_unless_offered
from games.notifications.queries import (
    deliveries_of,
    delivery_form,
    device_form,
    devices_of,
    my_webhook,
    webhook_form,
    webhooks_of,
)
from games.notifications.serializers import DeviceShape, ExchangeShape, WebhookChangesShape, WebhookShape

ACCEPTED: Final = 202
_NEWEST_FIRST: Final = Order(column="created_at", holds=datetime)
_LATEST_FIRST: Final = Order(column="pk", holds=int)


class WebhooksView(ApiView):
    """All of one's own."""

    access: ClassVar[dict[str, Needs]] = {"GET": Scope.WEBHOOKS_WRITE, "POST": Scope.WEBHOOKS_WRITE}
    operations: ClassVar[dict[str, Operation]] = {
        "GET": operations.LIST_WEBHOOKS,
        "POST": operations.CREATE_WEBHOOK,
    }

    def get(self, request: Request) -> Response:
        """List them, the newest first."""
        return Response(
            page(request, webhooks_of(signed_in(request)), order=_NEWEST_FIRST, show=webhook_form)
        )

    @never_kept
    def post(self, request: Request) -> Response:
        """Name one. Its secret is shown only now."""
        new = webhooks.create_webhook(player=signed_in(request), **self.read(WebhookShape))
        return secret_answer({"secret": new.secret.reveal(), **webhook_form(new.webhook)})


class OneWebhookView(ApiView):
    """One of them."""

    access: ClassVar[dict[str, Needs]] = {
        "GET": Scope.WEBHOOKS_WRITE,
        "PATCH": Scope.WEBHOOKS_WRITE,
        "DELETE": Scope.WEBHOOKS_WRITE,
    }
    operations: ClassVar[dict[str, Operation]] = {
        "GET": operations.READ_WEBHOOK,
        "PATCH": operations.CHANGE_WEBHOOK,
        "DELETE": operations.DELETE_WEBHOOK,
    }

    def get(self, request: Request, webhook_id: str) -> Response:
        """Show it."""
        return Response(webhook_form(my_webhook(signed_in(request), webhook_id)))

    def patch(self, request: Request, webhook_id: str) -> Response:
        """Change what is given."""
        changed = webhooks.change_webhook(
            player=signed_in(request), webhook_id=webhook_id, changes=self.read(WebhookChangesShape)
        )
        return Response(webhook_form(changed))

    def delete(self, request: Request, webhook_id: str) -> Response:
        """Take it away, with what was sent to it."""
        webhooks.delete_webhook(player=signed_in(request), webhook_id=webhook_id)
        return done()


class WebhookSecretView(ApiView):
    """What messages to one of them are signed with."""

    access: ClassVar[dict[str, Needs]] = {"POST": Scope.WEBHOOKS_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.EXCHANGE_SECRET}

    @never_kept
    def post(self, request: Request, webhook_id: str) -> Response:
        """Exchange it. The new one is shown only now."""
        new = webhooks.exchange_secret(
            player=signed_in(request), webhook_id=webhook_id, **self.read(ExchangeShape)
        )
        return secret_answer({"secret": new.secret.reveal(), **webhook_form(new.webhook)})


class DeliveriesView(ApiView):
    """What was sent to one of them."""

    access: ClassVar[dict[str, Needs]] = {"GET": Scope.WEBHOOKS_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_DELIVERIES}

    def get(self, request: Request, webhook_id: str) -> Response:
        """List it, the latest first."""
        rows = deliveries_of(my_webhook(signed_in(request), webhook_id))
        return Response(page(request, rows, order=_LATEST_FIRST, show=delivery_form))


class RedeliverView(ApiView):
    """One delivery, once more."""

    access: ClassVar[dict[str, Needs]] = {"POST": Scope.WEBHOOKS_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.REDELIVER}
    limits: ClassVar[dict[str, str]] = {"POST": "webhooks"}

    @idempotent
    def post(self, request: Request, webhook_id: str, delivery_id: str) -> Response:
        """Send it again, under the id that it had."""
        self.read(EmptyShape)
        again = webhooks.redeliver(player=signed_in(request), webhook_id=webhook_id, delivery_id=delivery_id)
        return Response(delivery_form(again), status=ACCEPTED)


class WebhookTestView(ApiView):
    """A delivery to try things out with."""

    access: ClassVar[dict[str, Needs]] = {"POST": Scope.WEBHOOKS_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.TEST_WEBHOOK}
    limits: ClassVar[dict[str, str]] = {"POST": "webhooks"}

    @idempotent
    def post(self, request: Request, webhook_id: str) -> Response:
        """Send an event of the type `test`."""
        self.read(EmptyShape)
        made = webhooks.send_test(player=signed_in(request), webhook_id=webhook_id)
        return Response(delivery_form(made), status=ACCEPTED)


CREATED: Final = 201


class PushKeyView(ApiView):
    """The key of this service."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.READ_PUSH_KEY}

    def get(self, request: Request) -> Response:
        """Show it, or say that there is none."""
        refuse_unless_offered()
        return Response({"public_key": encryption.public_key()})


class DevicesView(ApiView):
    """All of one's own."""

    access: ClassVar[dict[str, Needs]] = {"GET": Scope.ACCOUNT_WRITE, "POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {
        "GET": operations.LIST_DEVICES,
        "POST": operations.ADD_DEVICE,
    }

    def get(self, request: Request) -> Response:
        """List them, the newest first."""
        return Response(page(request, devices_of(signed_in(request)), order=_NEWEST_FIRST, show=device_form))

    @idempotent
    def post(self, request: Request) -> Response:
        """Name one."""
        device = push.add_device(player=signed_in(request), **self.read(DeviceShape))
        return Response(device_form(device), status=CREATED)


class OneDeviceView(ApiView):
    """One of them."""

    access: ClassVar[dict[str, Needs]] = {"DELETE": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"DELETE": operations.REMOVE_DEVICE}

    def delete(self, request: Request, device_id: str) -> Response:
        """Take it away."""
        push.remove_device(player=signed_in(request), device_id=device_id)
        return done()


class DeviceTestView(ApiView):
    """A message to try one of them with."""

    access: ClassVar[dict[str, Needs]] = {"POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.TEST_DEVICE}
    limits: ClassVar[dict[str, str]] = {"POST": "webhooks"}

    @idempotent
    def post(self, request: Request, device_id: str) -> Response:
        """Send it, by the way that everything is sent."""
        self.read(EmptyShape)
        device = push.send_test(player=signed_in(request), device_id=device_id)
        return Response(device_form(device), status=ACCEPTED)
