"""`/me/bots`: accounts for programs that play by themselves."""

from datetime import datetime
from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.accounts import operations
from games.api.accounts.answers import done, entered
from games.api.accounts.shapes import BotShape
from games.api.authentication import signed_in
from games.api.idempotency import never_kept
from games.api.paging import Order, page
from games.api.permissions import Needs
from games.api.schema.operation import Operation
from games.api.shapes import EmptyShape
from games.api.view import ApiView
from games.models import Scope
from games.selectors.players import bots_of, profile_form
from games.services.accounts import bots

ORDER: Final = Order(column="date_joined", holds=datetime)


class BotsView(ApiView):
    """All of one's own."""

    access: ClassVar[dict[str, Needs]] = {"GET": Scope.ACCOUNT_WRITE, "POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_BOTS, "POST": operations.CREATE_BOT}

    def get(self, request: Request) -> Response:
        """List them, the newest first."""
        return Response(page(request, bots_of(signed_in(request)), order=ORDER, show=profile_form))

    @never_kept
    def post(self, request: Request) -> Response:
        """Make one, with its token."""
        return entered(bots.create_bot(owner=signed_in(request), **self.read(BotShape)))


class OneBotView(ApiView):
    """One of them."""

    access: ClassVar[dict[str, Needs]] = {"DELETE": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"DELETE": operations.DELETE_BOT}

    def delete(self, request: Request, username: str) -> Response:
        """Let it go."""
        bots.delete_bot(owner=signed_in(request), username=username)
        return done()


class BotTokenView(ApiView):
    """The token of one of them."""

    access: ClassVar[dict[str, Needs]] = {"POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.RENEW_BOT_TOKEN}

    @never_kept
    def post(self, request: Request, username: str) -> Response:
        """Make a new one in place of those that it had."""
        self.read(EmptyShape)
        return entered(bots.renew_bot_token(owner=signed_in(request), username=username))
