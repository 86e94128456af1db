"""Records in their JSON form with one thing changed, by JSON pointer."""

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
    """A copy in which these places have these values; what is GONE is removed."""
    record = copy.deepcopy(record)
    for pointer, value in changes.items():
        parent, key = _parent(record, pointer)
        if value is GONE:
            del parent[key]
        else:
            parent[key] = value
    return record


def found(record: JsonObject, pointer: str) -> Any:
    """What stands at this place."""
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
    """Every value in a record that is not made of others, and where it stands."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from leaves(part, f"{pointer}/{name}")
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from leaves(part, f"{pointer}/{index}")
    else:
        yield pointer, value


def fault_of(record: JsonObject) -> tuple[str, str] | None:
    """The code of what is wrong with a record and where, None for a valid one."""
    try:
        verdict = replay(read_record(record))
    except Malformed as malformed:
        return malformed.code, malformed.where
    return (verdict.code, verdict.where) if isinstance(verdict, Wrong) else None
