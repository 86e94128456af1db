"""Endpoints to delete your own account and your bots, and to download what is stored about you."""

from typing import ClassVar

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts import operations as accounts_operations
from games.accounts.api import MeView
from games.accounts.bots_api import BotView
from games.api.auth import AccessRule, require_player, require_token
from games.api.files import FileRenderer, StoredFile, file_response
from games.api.idempotency import not_idempotent
from games.api.schema.operations import ACCEPTED, Operation
from games.api.serializers import EmptyRequestSerializer
from games.api.views import ApiView, no_content
from games.identity.models import Scope
from games.identity.services import require_fresh, require_fresh_or_guest
from games.privacy import operations, services
from games.privacy.exports import (
    archive_path,
    find_export,
    find_ready_export,
    render_personal_export,
    request_export,
)
from games.privacy.services import delete_account


class DeletableBotView(BotView):
    """One of the caller's bots, with its deletion, which concerns every room."""

    allows_apps: ClassVar[bool] = False
    access: ClassVar[dict[str, AccessRule]] = {**BotView.access, "DELETE": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {
        **BotView.operations,
        "DELETE": accounts_operations.DELETE_BOT,
    }

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


class PersonalExportView(ApiView):
    """The archive of what is stored about the caller."""

    allows_apps: ClassVar[bool] = False
    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"GET": Scope.ACCOUNT_WRITE, "POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {
        "GET": operations.READ_EXPORT,
        "POST": operations.REQUEST_EXPORT,
    }

    def get(self, request: Request) -> Response:
        """Return the status of the archive."""
        return Response(render_personal_export(find_export(player=require_player(request))))

    @not_idempotent  # a repeated request returns the archive that is being written
    def post(self, request: Request) -> Response:
        """Request an archive."""
        self.validated_body(EmptyRequestSerializer)
        require_fresh_or_guest(token=require_token(request))
        export = request_export(player=require_player(request))
        return Response(render_personal_export(export), status=ACCEPTED)


class PersonalArchiveView(ApiView):
    """The file of the archive."""

    allows_apps: ClassVar[bool] = False
    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"GET": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.DOWNLOAD_EXPORT}
    renderer_classes = (FileRenderer,)

    def get(self, request: Request) -> HttpResponse:
        """Return the archive or a range of it."""
        require_fresh_or_guest(token=require_token(request))
        export = find_ready_export(player=require_player(request))
        return file_response(
            request, StoredFile(archive_path(export), export.sha256, cache_control="no-store")
        )
