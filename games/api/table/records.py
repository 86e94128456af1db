"""Records: a match to take away, and any match to be checked."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.authentication import viewer
from games.api.conditional import conditionally
from games.api.idempotency import never_kept
from games.api.permissions import ANYONE, Needs
from games.api.rendering import CompactJSON
from games.api.schema.operation import Operation
from games.api.table import operations
from games.api.table.shapes import VerifyShape
from games.api.view import ApiView
from games.gateway.records import record_text, verify_record
from games.matches.store import read_match
from games.selectors.records import record_of

LARGEST_RECORD = 4 * 1024 * 1024


class Notation(BaseRenderer):
    """The record as people read it."""

    media_type = "text/plain"
    format = "text"
    charset = "utf-8"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Write the notation; nothing where there is nothing."""
        return b"" if data is None else record_text(data).encode()


class RecordView(ApiView):
    """The portable record of a match."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.READ_RECORD}
    renderer_classes = (CompactJSON, Notation)

    def get(self, request: Request, match_id: str) -> Response:
        """Write the rounds that have ended, as JSON or as text."""
        row = read_match(match_id, viewer(request))
        parts = row.id, row.version, row.names
        return conditionally(request, *parts, build=lambda: Response(record_of(row)))


class VerifyView(ApiView):
    """The check of a record, from here or from anywhere."""

    access: ClassVar[dict[str, Needs]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.VERIFY_RECORD}
    largest_body = LARGEST_RECORD

    @never_kept  # nothing is done
    def post(self, request: Request) -> Response:
        """Replay it."""
        return Response(verify_record(self.read(VerifyShape)["record"]))
