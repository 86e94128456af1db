"""`/me/devices`: where a player is told things while no page is open."""

from datetime import datetime
from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.accounts.answers import done
from games.api.authentication import signed_in
from games.api.idempotency import idempotent
from games.api.paging import Order, page
from games.api.permissions import ANYONE, Needs
from games.api.push import operations
from games.api.push.shapes import DeviceShape
from games.api.schema.operation import Operation
from games.api.shapes import EmptyShape
from games.api.view import ApiView
from games.models import Scope
from games.selectors.devices import device_form, devices_of
from games.services.push import devices, encrypting
from games.services.push.offering import refuse_unless_offered

CREATED: Final = 201
ACCEPTED: Final = 202
_NEWEST_FIRST: Final = Order(column="created_at", holds=datetime)


class PushKeyView(ApiView):
    """The key of this service."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.READ_PUSH_KEY}

    def get(self, request: Request) -> Response:
        """Show it, or say that there is none."""
        refuse_unless_offered()
        return Response({"public_key": encrypting.public_key()})


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
        device = devices.add_device(player=signed_in(request), **self.read(DeviceShape))
        return Response(device_form(device), status=CREATED)


class OneDeviceView(ApiView):
    """One of them."""

    access: ClassVar[dict[str, Needs]] = {"DELETE": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"DELETE": operations.REMOVE_DEVICE}

    def delete(self, request: Request, device_id: str) -> Response:
        """Take it away."""
        devices.remove_device(player=signed_in(request), device_id=device_id)
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
        device = devices.send_test(player=signed_in(request), device_id=device_id)
        return Response(device_form(device), status=ACCEPTED)
