"""Read, write and compare the recorded snapshots, one JSON file per topic."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent / "snapshot"
# Set by `python -m tests.surface.record`: write the snapshots instead of comparing them.
RECORDING: Final = "HAGGIS_RECORD_SURFACE"
_ABSENT: Final = object()
_LONGEST_REPORT: Final = 60
_LONGEST_CHANGE: Final = 300
_LONGEST_LINE: Final = 110

HELP: Final = """
The published surface changed. If that is intended, describe the change in CHANGELOG.md, record the new
surface with `python -m tests.surface.record` and commit both. Otherwise fix the code."""


def check(topic: str, surface: Any) -> None:
    """Compare the current surface with its snapshot, or record it."""
    path = FOLDER / f"{topic}.json"
    text = format_json(surface) + "\n"
    if os.environ.get(RECORDING):
        path.write_text(text, encoding="utf-8")
        return
    recorded = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    changes = list(differences(recorded, json.loads(text)))
    assert not changes, report(topic, changes)


def format_json(value: Any, indent: str = "") -> str:
    """Format JSON with sorted keys, and containers that are short enough on one line.

    >>> print(format_json({"b": ["x" * 60, "y" * 60], "a": {}}))
    {
     "a": {},
     "b": [
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
      "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
     ]
    }
    """
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    if len(text) + len(indent) <= _LONGEST_LINE or not isinstance(value, (dict, list)):
        return text
    if isinstance(value, dict):
        opening, closing = "{}"
        lines = [f"{json.dumps(key)}: {format_json(value[key], indent + ' ')}" for key in sorted(value)]
    else:
        opening, closing = "[]"
        lines = [format_json(each, indent + " ") for each in value]
    inner = f",\n{indent} ".join(lines)
    return f"{opening}\n{indent} {inner}\n{indent}{closing}"


def report(topic: str, changes: list[str]) -> str:
    """Format the failure message."""
    shown = [
        f"{each[:_LONGEST_CHANGE]}{' ...' * (len(each) > _LONGEST_CHANGE)}"
        for each in changes[:_LONGEST_REPORT]
    ]
    if len(changes) > len(shown):
        shown.append(f"... and {len(changes) - len(shown)} more")
    return "\n".join([f"{topic}: {len(changes)} change(s), - recorded, + now", *shown, HELP])


def differences(recorded: Any, current: Any, path: str = "") -> Iterator[str]:
    """Yield a line for each value that was added or removed; a changed value yields both.

    >>> list(differences({"a": 1, "b": ["x"]}, {"a": 2, "b": ["x", "y"]}))
    ['- a = 1', '+ a = 2', '+ b[] = "y"']
    """
    if isinstance(recorded, dict) and isinstance(current, dict):
        for key in sorted(recorded.keys() | current.keys()):
            place = f"{path} > {key}" if path else key
            yield from differences(recorded.get(key, _ABSENT), current.get(key, _ABSENT), place)
    elif isinstance(recorded, list) and isinstance(current, list):
        yield from _list_differences(recorded, current, path)
    elif recorded != current:
        yield from _lines("-", path, recorded)
        yield from _lines("+", path, current)


def _list_differences(recorded: list[Any], current: list[Any], path: str) -> Iterator[str]:
    removed = [each for each in recorded if each not in current]
    added = [each for each in current if each not in recorded]
    if not removed and not added and recorded != current:
        removed, added = [recorded], [current]  # the order or the number of duplicates changed
    for each in removed:
        yield from _lines("-", f"{path}[]", each)
    for each in added:
        yield from _lines("+", f"{path}[]", each)


def _lines(sign: str, path: str, value: Any) -> Iterator[str]:
    if value is not _ABSENT:
        yield f"{sign} {path} = {json.dumps(value, ensure_ascii=False)}"
