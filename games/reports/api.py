"""The endpoint with which players report others."""

from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import AccessRule, require_player
from games.api.idempotency import idempotent
from games.api.schema.operations import Operation
from games.api.views import ApiView
from games.core.addresses import client_address
from games.identity.models import Scope
from games.reports import operations
from games.reports.serializers import ReportRequestSerializer
from games.reports.services import create_report

ACCEPTED: Final = 202


class ReportsView(ApiView):
    """Reports about players."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"POST": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.REPORT_PLAYER}

    @idempotent
    def post(self, request: Request) -> Response:
        """Report a player to the moderators."""
        create_report(
            reporter=require_player(request),
            address=client_address(request),
            **self.validated_body(ReportRequestSerializer),
        )
        return Response(status=ACCEPTED)
