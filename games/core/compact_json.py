"""Encode and decode the JSON of responses, log entries and snapshots.

orjson is used because Python's own encoder took a fifteenth of the CPU time of a move.
"""

import json
from typing import TYPE_CHECKING, Any, Final

import orjson
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from rest_framework.utils.encoders import JSONEncoder

_FALLBACK_ENCODER: Final = JSONEncoder().default


def dump_json(value: object) -> bytes:
    """Encode a value without whitespace. Types unknown to JSON are encoded as REST framework encodes them.

    >>> dump_json({"cards": ["7r", "J"], "wilds": {}})
    b'{"cards":["7r","J"],"wilds":{}}'
    """
    return orjson.dumps(value, default=_encode_other, option=orjson.OPT_PASSTHROUGH_DATETIME)


def _encode_other(value: object) -> object:
    """Encode a type unknown to orjson. Named tuples, which are frequent in snapshots, become lists."""
    return tuple(value) if isinstance(value, tuple) else _FALLBACK_ENCODER(value)


def load_json(text: str | bytes) -> Any:  # noqa: ANN401 -- JSON
    """Decode JSON that this service has written."""
    return orjson.loads(text)


if TYPE_CHECKING:
    TextFieldBase = models.TextField[Any, Any]
else:
    TextFieldBase = models.TextField


class OrderedJSONField(TextFieldBase):
    """JSON stored as text, which preserves the order of object members; it cannot be queried."""

    if TYPE_CHECKING:  # tells the mypy plugin that values are not text
        _pyi_private_set_type: Any
        _pyi_private_get_type: Any

    def get_prep_value(self, value: object) -> str:
        """Encode the value for the database."""
        return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))

    def from_db_value(self, value: str | None, *_: object) -> object:
        """Decode the value from the database."""
        return None if value is None else json.loads(value)
