"""Endpoints for bots. `games/privacy` adds their deletion."""

from datetime import datetime
from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts import operations
from games.accounts.serializers import BotChangesRequestSerializer, BotRequestSerializer
from games.accounts.services import sign_in
from games.accounts.services.bots import change_bot
from games.api.auth import AccessRule, require_player, require_token
from games.api.idempotency import not_idempotent
from games.api.pagination import Order, paginate
from games.api.schema.operations import Operation
from games.api.serializers import EmptyRequestSerializer
from games.api.views import ApiView, signed_in_response
from games.identity.models import Scope
from games.identity.queries import bots_of, render_profile
from games.identity.services import require_fresh

BOT_ORDER: Final = Order(column="date_joined", value_type=datetime)


class BotsView(ApiView):
    """The caller's bots."""

    allows_apps: ClassVar[bool] = False
    access: ClassVar[dict[str, AccessRule]] = {"GET": Scope.ACCOUNT_WRITE, "POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_BOTS, "POST": operations.CREATE_BOT}

    def get(self, request: Request) -> Response:
        """List the bots, newest first."""
        return Response(
            paginate(request, bots_of(require_player(request)), order=BOT_ORDER, show=render_profile)
        )

    @not_idempotent
    def post(self, request: Request) -> Response:
        """Create a bot and return its token."""
        body = self.validated_body(BotRequestSerializer)
        require_fresh(token=require_token(request))
        return signed_in_response(sign_in.create_bot(owner=require_player(request), **body))


class BotView(ApiView):
    """One of the caller's bots."""

    allows_apps: ClassVar[bool] = False
    access: ClassVar[dict[str, AccessRule]] = {"PATCH": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"PATCH": operations.CHANGE_BOT}

    def patch(self, request: Request, username: str) -> Response:
        """Change the given fields of the bot."""
        changes = self.validated_body(BotChangesRequestSerializer)
        return Response(
            render_profile(change_bot(owner=require_player(request), username=username, changes=changes))
        )


class BotTokenView(ApiView):
    """The token of one of the caller's bots."""

    allows_apps: ClassVar[bool] = False
    access: ClassVar[dict[str, AccessRule]] = {"POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.RENEW_BOT_TOKEN}

    @not_idempotent
    def post(self, request: Request, username: str) -> Response:
        """Revoke the bot's tokens and return a new one."""
        self.validated_body(EmptyRequestSerializer)
        require_fresh(token=require_token(request))
        return signed_in_response(sign_in.renew_bot_token(owner=require_player(request), username=username))
