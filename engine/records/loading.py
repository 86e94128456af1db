"""Load a record from the bytes of a file, in JSON or in text notation."""

import json
from typing import Final

from engine.errors import Malformed
from engine.records.notation import from_text
from engine.records.reading import read_record
from engine.records.record import Record

LARGEST_RECORD: Final = 4 * 1024 * 1024


def load_record(data: bytes) -> Record:
    """Return the record in these bytes; raise `Malformed` if it cannot be read."""
    if len(data) > LARGEST_RECORD:
        raise Malformed("too_large", f"A record has at most {LARGEST_RECORD} bytes.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Malformed("malformed_text", "This is not UTF-8.") from None
    return read_record(parse_json(text)) if text.lstrip().startswith("{") else from_text(text)


def parse_json(text: str) -> object:
    """Parse JSON; reject objects with duplicate names, which parsers would treat differently."""
    try:
        value: object = json.loads(text, object_pairs_hook=_unique_names)
    except (ValueError, RecursionError):
        raise Malformed("malformed_json", "This is not JSON that can be read.") from None
    return value


def _unique_names(pairs: list[tuple[str, object]]) -> dict[str, object]:
    names = dict(pairs)
    if len(names) < len(pairs):
        raise ValueError
    return names
