"""Endpoints for the apps of a player, and for the apps that a player has authorized."""

from datetime import datetime
from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import AccessRule, require_player, require_token
from games.api.idempotency import idempotent
from games.api.pagination import Order, paginate
from games.api.schema.operations import Operation
from games.api.views import ApiView, no_content
from games.identity.models import Scope
from games.identity.services import require_fresh
from games.oauth import apps, operations, services
from games.oauth.queries import apps_of, authorizations_of, render_app, render_authorization
from games.oauth.serializers import AppChangesRequestSerializer, AppRequestSerializer

CREATED: Final = 201
_NEWEST_FIRST: Final = Order(column="created_at", value_type=datetime)


class AppsView(ApiView):
    """The caller's apps."""

    strict_parameters: ClassVar[bool] = True
    allows_apps: ClassVar[bool] = False
    access: ClassVar[dict[str, AccessRule]] = {"GET": Scope.ACCOUNT_WRITE, "POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_APPS, "POST": operations.CREATE_APP}

    def get(self, request: Request) -> Response:
        """List the apps, newest first."""
        rows = apps_of(require_player(request))
        return Response(paginate(request, rows, order=_NEWEST_FIRST, show=render_app))

    @idempotent
    def post(self, request: Request) -> Response:
        """Register an app."""
        body = self.validated_body(AppRequestSerializer)
        require_fresh(token=require_token(request))
        app = apps.create_app(owner=require_player(request), **body)
        return Response(render_app(app), status=CREATED)


class OneAppView(ApiView):
    """One of the caller's apps."""

    strict_parameters: ClassVar[bool] = True
    allows_apps: ClassVar[bool] = False
    access: ClassVar[dict[str, AccessRule]] = {"PATCH": Scope.ACCOUNT_WRITE, "DELETE": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {
        "PATCH": operations.CHANGE_APP,
        "DELETE": operations.DELETE_APP,
    }

    def patch(self, request: Request, app_id: str) -> Response:
        """Change the given properties."""
        body = self.validated_body(AppChangesRequestSerializer)
        require_fresh(token=require_token(request))
        return Response(render_app(apps.change_app(owner=require_player(request), client_id=app_id, **body)))

    def delete(self, request: Request, app_id: str) -> Response:
        """Delete the app and end what players have authorized."""
        require_fresh(token=require_token(request))
        apps.delete_app(owner=require_player(request), client_id=app_id)
        return no_content()


class AuthorizationsView(ApiView):
    """The apps that the caller has authorized."""

    strict_parameters: ClassVar[bool] = True
    allows_apps: ClassVar[bool] = False
    access: ClassVar[dict[str, AccessRule]] = {"GET": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_AUTHORIZATIONS}
    revoking_methods: ClassVar[frozenset[str]] = frozenset({"GET"})

    def get(self, request: Request) -> Response:
        """List the authorizations, newest first."""
        rows = authorizations_of(require_player(request))
        return Response(paginate(request, rows, order=_NEWEST_FIRST, show=render_authorization))


class OneAuthorizationView(ApiView):
    """What the caller lets one app do."""

    strict_parameters: ClassVar[bool] = True
    allows_apps: ClassVar[bool] = False
    access: ClassVar[dict[str, AccessRule]] = {"DELETE": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"DELETE": operations.END_AUTHORIZATION}
    revoking_methods: ClassVar[frozenset[str]] = frozenset({"DELETE"})

    def delete(self, request: Request, authorization_id: str) -> Response:
        """End the authorization with its tokens and webhooks."""
        services.end_authorization(player=require_player(request), public_id=authorization_id)
        return no_content()
