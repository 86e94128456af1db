"""The records guide is correct: its examples are valid, and it explains every error code."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import engine
from engine.records.notation import from_text, to_text
from engine.records.reading import read_record
from engine.records.replay import replay
from engine.records.verdict import Deals, Valid
from engine.records.writing import write_record

ENGINE = Path(engine.__file__).parent
GUIDE = (ENGINE.parent / "docs" / "records.md").read_text(encoding="utf-8")
# The arguments of raised errors that contain the code.
CODE_AT = {"Malformed": 0, "Refused": 0, "Mistake": 1, "Wrong": 1}


def example(language: str) -> str:
    """Return the example in this language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)
    return str(found)


def test_the_json_example_matches_the_writer() -> None:
    record = json.loads(example("json"))
    assert write_record(read_record(record)) == record
    assert list(write_record(read_record(record))) == list(record)
    assert replay(read_record(record)) == Valid(Deals.UNPROVEN)


def test_the_text_example_is_valid_and_matches_the_writer() -> None:
    record = from_text(example("text"))
    assert to_text(record) == example("text")
    assert replay(record) == Valid(Deals.UNPROVEN)


def codes_in(path: Path) -> Iterator[str]:
    """Yield the error codes that a module uses."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CODE_AT:
            code = node.args[CODE_AT[node.func.id]]
            if isinstance(code, ast.Constant):
                yield str(code.value)


# Codes that reading a record reports in another way first: unknown seats are `out_of_range`.
NEVER_REACHED = {"unknown_seat"}


def test_every_error_code_is_documented() -> None:
    paths = [*(ENGINE / "records").glob("*.py"), *(ENGINE / "rounds").glob("*.py")]
    paths.append(ENGINE / "combinations" / "ambiguity.py")
    paths.append(ENGINE / "rulesets" / "model.py")
    raised = {code for path in paths for code in codes_in(path)}
    explained = set(re.findall(r"`([a-z_]+)`", GUIDE))
    assert len(raised) > 40
    assert raised - explained == NEVER_REACHED
