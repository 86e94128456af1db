"""Endpoints to read, change and delete your own account, and to delete your bots."""

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts import operations as accounts_operations
from games.accounts.serializers import ProfileRequestSerializer
from games.accounts.services.profile import change_profile
from games.api.auth import SIGNED_IN, AccessRule, require_player, require_token
from games.api.schema.operations import Operation
from games.api.views import ApiView, no_content
from games.core.addresses import client_address
from games.identity.models import Scope
from games.identity.queries import render_me
from games.identity.services import require_fresh_or_guest
from games.privacy import services
from games.privacy.services import delete_account


class OneBotView(ApiView):
    """One of the caller's bots."""

    access: ClassVar[dict[str, AccessRule]] = {"DELETE": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"DELETE": accounts_operations.DELETE_BOT}

    def delete(self, request: Request, username: str) -> Response:
        """Delete the bot."""
        services.delete_bot(owner=require_player(request), username=username)
        return no_content()


class MeView(ApiView):
    """The caller's account."""

    access: ClassVar[dict[str, AccessRule]] = {
        "GET": SIGNED_IN,
        "PATCH": Scope.ACCOUNT_WRITE,
        "DELETE": Scope.ACCOUNT_WRITE,
    }
    operations: ClassVar[dict[str, Operation]] = {
        "GET": accounts_operations.READ_ME,
        "PATCH": accounts_operations.CHANGE_ME,
        "DELETE": accounts_operations.DELETE_ME,
    }

    def get(self, request: Request) -> Response:
        """Return the profile of the caller; the address is included only with the scope `account:write`."""
        whole = Scope.ACCOUNT_WRITE in require_token(request).scope_set
        return Response(render_me(require_player(request), include_email=whole))

    def patch(self, request: Request) -> Response:
        """Change the given fields of the profile."""
        changed = change_profile(
            player=require_player(request),
            changes=self.validated_body(ProfileRequestSerializer),
            token=require_token(request),
            address=client_address(request),
        )
        return Response(render_me(changed, include_email=True))

    def delete(self, request: Request) -> Response:
        """Delete the account; its matches stay, anonymised."""
        require_fresh_or_guest(token=require_token(request))
        delete_account(player=require_player(request))
        return no_content()
