"""Examples in the document: taken from the answers of a real server, and kept beside this module."""

import json
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any, Final

from games.api.problems import problem_body
from games.errors import CODES, Problem

Json = dict[str, Any]

RECORDED: Final = Path(__file__).with_name("recorded.json")
JSON: Final = "application/json"


@cache
def recorded() -> Json:
    """What was kept: bodies and answers by operation, refusals by code."""
    kept: Json = json.loads(RECORDED.read_text(encoding="utf-8"))
    return kept


def add_examples(paths: Json) -> None:
    """Show each operation with what was really sent and answered."""
    for methods in paths.values():
        for operation in methods.values():
            kept = recorded()["operations"].get(operation["operationId"], {"answers": {}})
            if "body" in kept and "requestBody" in operation:
                operation["requestBody"]["content"][JSON]["example"] = kept["body"]
            for status, answer in kept["answers"].items():
                content = operation["responses"].get(status, {}).get("content", {})
                if JSON in content:
                    content[JSON]["example"] = answer


def problem_examples(used: Collection[str]) -> Json:
    """An example of every code that some operation may answer, taken or written by the service itself."""
    return {
        code: {"summary": title, "value": recorded()["problems"].get(code) or problem_body(Problem(code))}
        for code, (_, title) in CODES.items()
        if code in used
    }
