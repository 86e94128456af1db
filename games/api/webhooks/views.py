"""`/me/webhooks`: where events are sent, and how that went."""

from datetime import datetime
from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.accounts.answers import done, secret_answer
from games.api.authentication import signed_in
from games.api.idempotency import idempotent, never_kept
from games.api.paging import Order, page
from games.api.permissions import Needs
from games.api.schema.operation import Operation
from games.api.shapes import EmptyShape
from games.api.view import ApiView
from games.api.webhooks import operations
from games.api.webhooks.shapes import ExchangeShape, WebhookChangesShape, WebhookShape
from games.models import Scope
from games.selectors.webhooks import deliveries_of, delivery_form, my_webhook, webhook_form, webhooks_of
from games.services.webhooks import deliveries, endpoints, secrets

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
        new = endpoints.create_webhook(player=signed_in(request), **self.read(WebhookShape))
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
        changed = endpoints.change_webhook(
            player=signed_in(request), webhook_id=webhook_id, changes=self.read(WebhookChangesShape)
        )
        return Response(webhook_form(changed))

    def delete(self, request: Request, webhook_id: str) -> Response:
        """Take it away, with what was sent to it."""
        endpoints.delete_webhook(player=signed_in(request), webhook_id=webhook_id)
        return done()


class WebhookSecretView(ApiView):
    """What messages to one of them are signed with."""

    access: ClassVar[dict[str, Needs]] = {"POST": Scope.WEBHOOKS_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.EXCHANGE_SECRET}

    @never_kept
    def post(self, request: Request, webhook_id: str) -> Response:
        """Exchange it. The new one is shown only now."""
        new = secrets.exchange_secret(
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
        again = deliveries.redeliver(
            player=signed_in(request), webhook_id=webhook_id, delivery_id=delivery_id
        )
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
        made = deliveries.send_test(player=signed_in(request), webhook_id=webhook_id)
        return Response(delivery_form(made), status=ACCEPTED)
