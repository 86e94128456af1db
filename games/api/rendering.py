"""Answers as JSON, in the one form that they have: compact."""

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import JSONRenderer

from games import compact_json


class CompactJSON(JSONRenderer):
    """The framework's renderer without its indents, for which nobody can ask here."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Write an answer; nothing where there is none."""
        return b"" if data is None else compact_json.written(data)
