"""Examples are answers of a real server, and still of the form that the contract has now."""

from typing import Any

import pytest

from games.api.schema.document import JSON, document, recorded
from tests.support.contract import closed_document, validator

SHOWN = [
    pytest.param(path, method, status, id=f"{operation['operationId']} {status}")
    for path, methods in document()["paths"].items()
    for method, operation in methods.items()
    for status, answer in operation["responses"].items()
    if "example" in answer.get("content", {}).get(JSON, {})
]
# The document is no example of itself.
WITHOUT = {"readSchema", "readOlderSchema"}
OPERATIONS = [
    pytest.param(operation, id=operation["operationId"])
    for methods in document()["paths"].values()
    for operation in methods.values()
    if operation["operationId"] not in WITHOUT
]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_shows_every_answer_that_has_a_body(operation: Any) -> None:
    for status, answer in operation["responses"].items():
        if status < "300" and JSON in answer.get("content", {}):
            assert "example" in answer["content"][JSON], f"{status}: make examples"


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_shows_what_is_sent(operation: Any) -> None:
    body = operation.get("requestBody", {}).get("content", {}).get(JSON)
    assert body is None or "example" in body, "make examples"


def test_a_problem_shows_what_helps_to_go_on() -> None:
    shown = document()["components"]["examples"]
    assert shown["ambiguous_combination"]["value"]["readings"]
    assert shown["stale_version"]["value"]["version"]
    assert shown["insufficient_scope"]["value"]["scopes"]


@pytest.mark.parametrize(("path", "method", "status"), SHOWN)
def test_an_example_is_of_the_form_that_the_contract_has(path: str, method: str, status: str) -> None:
    operation: Any = closed_document()["paths"][path][method]
    example = operation["responses"][status]["content"][JSON]["example"]
    faults = [error.message[:200] for error in validator(path, method, status, JSON).iter_errors(example)]
    assert not faults, f"{faults}: make examples"


def test_examples_hold_no_secret() -> None:
    tokens = [
        kept["answers"]["201"]["token"] for kept in recorded()["operations"].values() if _has_token(kept)
    ]
    assert tokens
    assert all(token.strip("0") == "haggis_" for token in tokens)


def _has_token(kept: Any) -> bool:
    return "token" in kept["answers"].get("201", {})
