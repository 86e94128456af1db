"""Modify values of JSON records by JSON pointer."""

import copy
from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.errors import Malformed
from engine.records.reading import read_record
from engine.records.replay import replay
from engine.records.verdict import Wrong

JsonObject = dict[str, Any]
GONE: Final = object()


def edited(record: JsonObject, changes: Mapping[str, object]) -> JsonObject:
    """Return a copy with these values changed; values that are GONE are removed."""
    record = copy.deepcopy(record)
    for pointer, value in changes.items():
        parent, key = _parent(record, pointer)
        if value is GONE:
            del parent[key]
        else:
            parent[key] = value
    return record


def found(record: JsonObject, pointer: str) -> Any:
    """Return the value at a pointer."""
    if not pointer:
        return record
    parent, key = _parent(record, pointer)
    return parent[key]


def _parent(record: JsonObject, pointer: str) -> tuple[Any, Any]:
    *path, last = pointer.split("/")[1:]
    parent: Any = record
    for step in path:
        parent = parent[int(step) if isinstance(parent, list) else step]
    return parent, int(last) if isinstance(parent, list) else last


def leaves(value: object, pointer: str = "") -> Iterator[tuple[str, object]]:
    """Yield every value of a record that is not a container, with its pointer."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from leaves(part, f"{pointer}/{name}")
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from leaves(part, f"{pointer}/{index}")
    else:
        yield pointer, value


def error_of(record: JsonObject) -> tuple[str, str] | None:
    """Return the error code and location of a record, or None if it is valid."""
    try:
        verdict = replay(read_record(record))
    except Malformed as malformed:
        return malformed.code, malformed.where
    return (verdict.code, verdict.where) if isinstance(verdict, Wrong) else None
