"""Standing orders: pass for the rest of this trick, whatever is played."""

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.authentication import signed_in
from games.api.permissions import PLAY, Needs
from games.api.schema.operation import Operation
from games.api.shapes import EmptyShape
from games.api.table import operations
from games.api.view import ApiView
from games.services.standing_orders import give_order, withdraw_order


class StandingOrderView(ApiView):
    """The order of one's own seat. Both answer with the table, in which only its player sees the order."""

    access: ClassVar[dict[str, Needs]] = {"PUT": PLAY, "DELETE": PLAY}
    operations: ClassVar[dict[str, Operation]] = {
        "PUT": operations.GIVE_STANDING_ORDER,
        "DELETE": operations.WITHDRAW_STANDING_ORDER,
    }

    def put(self, request: Request, match_id: str) -> Response:
        """Give the order; given again it stays as it is."""
        self.read(EmptyShape)
        return Response(give_order(match_id=match_id, player=signed_in(request)))

    def delete(self, request: Request, match_id: str) -> Response:
        """Take it back, if there is one."""
        return Response(withdraw_order(match_id=match_id, player=signed_in(request)))
