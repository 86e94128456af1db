"""Media types of published records and of files, for content negotiation."""

from collections.abc import Mapping
from typing import Any, Final

from rest_framework.renderers import BaseRenderer

LINES_MEDIA_TYPE: Final = "application/x-ndjson"


class LinesRenderer(BaseRenderer):
    """Lines of JSON. Views write them, because they are stored as they are sent."""

    media_type = LINES_MEDIA_TYPE
    format = "ndjson"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return an empty body."""
        return b""
