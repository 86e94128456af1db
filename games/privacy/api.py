"""Endpoints to delete your own account and your bots."""

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts import operations as accounts_operations
from games.accounts.api import MeView
from games.api.auth import AccessRule, require_player, require_token
from games.api.schema.operations import Operation
from games.api.views import ApiView, no_content
from games.identity.models import Scope
from games.identity.services import require_fresh, require_fresh_or_guest
from games.privacy import services
from games.privacy.services import delete_account


class OneBotView(ApiView):
    """One of the caller's bots."""

    access: ClassVar[dict[str, AccessRule]] = {"DELETE": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"DELETE": accounts_operations.DELETE_BOT}

    def delete(self, request: Request, username: str) -> Response:
        """Delete the bot."""
        require_fresh(token=require_token(request))
        services.delete_bot(owner=require_player(request), username=username)
        return no_content()


class DeletableMeView(MeView):
    """The caller's account, with its deletion, which concerns every room."""

    access: ClassVar[dict[str, AccessRule]] = {**MeView.access, "DELETE": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {
        **MeView.operations,
        "DELETE": accounts_operations.DELETE_ME,
    }

    def delete(self, request: Request) -> Response:
        """Delete the account; its matches stay, anonymised."""
        require_fresh_or_guest(token=require_token(request))
        delete_account(player=require_player(request))
        return no_content()
