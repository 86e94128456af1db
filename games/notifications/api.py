"""API views of webhooks and devices."""

from datetime import datetime
from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, AccessRule, require_player, require_token
from games.api.idempotency import idempotent, not_idempotent
from games.api.pagination import Order, paginate
from games.api.schema.operations import Operation
from games.api.serializers import EmptyRequestSerializer
from games.api.views import ApiView, no_content, secret_response
from games.identity.models import Scope
from games.notifications import encryption, mail, operations, push, webhooks
from games.notifications.push import require_push
from games.notifications.queries import (
    deliveries_of,
    devices_of,
    notice_attempts_of,
    render_delivery,
    render_device,
    render_notice_attempt,
    render_webhook,
    require_webhook,
    webhooks_of,
)
from games.notifications.serializers import (
    DeviceRequestSerializer,
    ExchangeRequestSerializer,
    WebhookChangesRequestSerializer,
    WebhookRequestSerializer,
)

CREATED: Final = 201
ACCEPTED: Final = 202
_NEWEST_FIRST: Final = Order(column="created_at", value_type=datetime)
_LATEST_FIRST: Final = Order(column="pk", value_type=int)


class WebhooksView(ApiView):
    """The webhook endpoints of a player."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": Scope.WEBHOOKS_WRITE, "POST": Scope.WEBHOOKS_WRITE}
    operations: ClassVar[dict[str, Operation]] = {
        "GET": operations.LIST_WEBHOOKS,
        "POST": operations.CREATE_WEBHOOK,
    }
    limits: ClassVar[dict[str, str]] = {"POST": "webhooks"}

    def get(self, request: Request) -> Response:
        """List the endpoints, newest first."""
        return Response(
            paginate(request, webhooks_of(require_player(request)), order=_NEWEST_FIRST, show=render_webhook)
        )

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Create an endpoint. Only this response contains its secret."""
        new = webhooks.create_webhook(
            player=require_player(request),
            authorization_id=require_token(request).authorization_id,
            **self.validated_body(WebhookRequestSerializer),
        )
        return secret_response({"secret": new.secret.reveal(), **render_webhook(new.webhook)})


class OneWebhookView(ApiView):
    """A webhook endpoint."""

    access: ClassVar[dict[str, AccessRule]] = {
        "GET": Scope.WEBHOOKS_WRITE,
        "PATCH": Scope.WEBHOOKS_WRITE,
        "DELETE": Scope.WEBHOOKS_WRITE,
    }
    operations: ClassVar[dict[str, Operation]] = {
        "GET": operations.READ_WEBHOOK,
        "PATCH": operations.CHANGE_WEBHOOK,
        "DELETE": operations.DELETE_WEBHOOK,
    }
    limits: ClassVar[dict[str, str]] = {"PATCH": "webhooks"}

    def get(self, request: Request, webhook_id: str) -> Response:
        """Return the endpoint."""
        return Response(render_webhook(require_webhook(require_player(request), webhook_id)))

    def patch(self, request: Request, webhook_id: str) -> Response:
        """Update the given fields."""
        changed = webhooks.change_webhook(
            player=require_player(request),
            webhook_id=webhook_id,
            changes=self.validated_body(WebhookChangesRequestSerializer),
        )
        return Response(render_webhook(changed))

    def delete(self, request: Request, webhook_id: str) -> Response:
        """Delete the endpoint and its deliveries."""
        webhooks.delete_webhook(player=require_player(request), webhook_id=webhook_id)
        return no_content()


class WebhookSecretView(ApiView):
    """The signing secret of a webhook endpoint."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": Scope.WEBHOOKS_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.EXCHANGE_SECRET}

    @not_idempotent
    def post(self, request: Request, webhook_id: str) -> Response:
        """Rotate the secret. Only this response contains the new one."""
        new = webhooks.rotate_secret(
            player=require_player(request),
            webhook_id=webhook_id,
            **self.validated_body(ExchangeRequestSerializer),
        )
        return secret_response({"secret": new.secret.reveal(), **render_webhook(new.webhook)})


class DeliveriesView(ApiView):
    """The deliveries of a webhook endpoint."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": Scope.WEBHOOKS_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_DELIVERIES}

    def get(self, request: Request, webhook_id: str) -> Response:
        """List the deliveries, latest first."""
        rows = deliveries_of(require_webhook(require_player(request), webhook_id))
        return Response(paginate(request, rows, order=_LATEST_FIRST, show=render_delivery))


class RedeliverView(ApiView):
    """Redelivery of an event."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": Scope.WEBHOOKS_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.REDELIVER}
    limits: ClassVar[dict[str, str]] = {"POST": "webhooks"}

    @idempotent
    def post(self, request: Request, webhook_id: str, delivery_id: str) -> Response:
        """Send the event again with the same id."""
        self.validated_body(EmptyRequestSerializer)
        again = webhooks.redeliver(
            player=require_player(request), webhook_id=webhook_id, delivery_id=delivery_id
        )
        return Response(render_delivery(again), status=ACCEPTED)


class WebhookTestView(ApiView):
    """Test of a webhook endpoint."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": Scope.WEBHOOKS_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.TEST_WEBHOOK}
    limits: ClassVar[dict[str, str]] = {"POST": "webhooks"}

    @idempotent
    def post(self, request: Request, webhook_id: str) -> Response:
        """Send an event of the type `test`."""
        self.validated_body(EmptyRequestSerializer)
        delivery = webhooks.send_test(player=require_player(request), webhook_id=webhook_id)
        return Response(render_delivery(delivery), status=ACCEPTED)


class NoticeAttemptsView(ApiView):
    """The notifications that were sent to a player."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"GET": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_NOTICE_ATTEMPTS}

    def get(self, request: Request) -> Response:
        """List the attempts, latest first."""
        rows = notice_attempts_of(require_player(request))
        return Response(paginate(request, rows, order=_LATEST_FIRST, show=render_notice_attempt))


class MailTestView(ApiView):
    """Test of the e-mail address."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.TEST_MAIL}
    limits: ClassVar[dict[str, str]] = {"POST": "webhooks"}

    @idempotent
    def post(self, request: Request) -> Response:
        """Send a test mail through the outbox."""
        self.validated_body(EmptyRequestSerializer)
        return Response({"email": mail.send_test(player=require_player(request)).email}, status=ACCEPTED)


class PushKeyView(ApiView):
    """The public key for push subscriptions."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.READ_PUSH_KEY}

    def get(self, request: Request) -> Response:
        """Return the key, or raise `push_not_offered`."""
        require_push()
        return Response({"public_key": encryption.public_key()})


class DevicesView(ApiView):
    """The devices of a player."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": Scope.ACCOUNT_WRITE, "POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {
        "GET": operations.LIST_DEVICES,
        "POST": operations.ADD_DEVICE,
    }
    limits: ClassVar[dict[str, str]] = {"POST": "webhooks"}

    def get(self, request: Request) -> Response:
        """List the devices, newest first."""
        return Response(
            paginate(request, devices_of(require_player(request)), order=_NEWEST_FIRST, show=render_device)
        )

    @idempotent
    def post(self, request: Request) -> Response:
        """Add a device, or update it if its subscription is known."""
        device = push.add_device(
            player=require_player(request), **self.validated_body(DeviceRequestSerializer)
        )
        return Response(render_device(device), status=CREATED)


class OneDeviceView(ApiView):
    """A device."""

    access: ClassVar[dict[str, AccessRule]] = {"DELETE": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"DELETE": operations.REMOVE_DEVICE}

    def delete(self, request: Request, device_id: str) -> Response:
        """Remove the device."""
        push.remove_device(player=require_player(request), device_id=device_id)
        return no_content()


class DeviceTestView(ApiView):
    """Test of a device."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.TEST_DEVICE}
    limits: ClassVar[dict[str, str]] = {"POST": "webhooks"}

    @idempotent
    def post(self, request: Request, device_id: str) -> Response:
        """Send a test message through the outbox."""
        self.validated_body(EmptyRequestSerializer)
        device = push.send_test(player=require_player(request), device_id=device_id)
        return Response(render_device(device), status=ACCEPTED)
