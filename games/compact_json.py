"""JSON as it is written on the way of a move: the answer, the entry of the log, the snapshot.

With Python's own encoder that was a fifteenth of the CPU time of a move.
"""

from typing import Any, Final

import orjson
from rest_framework.utils.encoders import JSONEncoder

_OTHERS: Final = JSONEncoder().default


def written(value: object) -> bytes:
    """The shortest text of a value. What JSON does not know is written as the framework writes it.

    >>> written({"cards": ["7r", "J"], "wilds": {}})
    b'{"cards":["7r","J"],"wilds":{}}'
    """
    return orjson.dumps(value, default=_other, option=orjson.OPT_PASSTHROUGH_DATETIME)


def _other(value: object) -> object:
    """What JSON has no form for; a named tuple, of which a snapshot has many, is a list like any tuple."""
    return tuple(value) if isinstance(value, tuple) else _OTHERS(value)


def read(text: str | bytes) -> Any:  # noqa: ANN401 -- JSON
    """The value of a text of our own."""
    return orjson.loads(text)
