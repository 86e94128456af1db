"""The recorded examples are complete and match the current schema."""

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
OPERATIONS = [
    pytest.param(operation, id=operation["operationId"])
    for methods in document()["paths"].values()
    for operation in methods.values()
]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_response_with_a_body_has_an_example(operation: Any) -> None:
    for status, answer in operation["responses"].items():
        for media_type, content in answer.get("content", {}).items():
            is_binary = content["schema"].get("format") == "binary"
            assert is_binary or content.keys() & {"example", "examples"}, (
                f"{status} {media_type}: make examples"
            )


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_request_body_has_an_example(operation: Any) -> None:
    body = operation.get("requestBody", {}).get("content", {}).get(JSON)
    assert body is None or "example" in body, "make examples"


def test_problem_examples_contain_the_extra_members() -> None:
    examples = document()["components"]["examples"]
    assert examples["ambiguous_combination"]["value"]["readings"]
    assert examples["stale_version"]["value"]["version"]
    assert examples["insufficient_scope"]["value"]["scopes"]


@pytest.mark.parametrize(("path", "method", "status"), SHOWN)
def test_every_example_matches_its_schema(path: str, method: str, status: str) -> None:
    operation: Any = closed_document()["paths"][path][method]
    example = operation["responses"][status]["content"][JSON]["example"]
    errors = [error.message[:200] for error in validator(path, method, status, JSON).iter_errors(example)]
    assert not errors, f"{errors}: make examples"


def test_examples_contain_no_secret() -> None:
    tokens = [
        example["answers"]["201"]["token"]
        for example in recorded()["operations"].values()
        if _has_token(example)
    ]
    assert tokens
    assert all(token.strip("0") == "haggis_" for token in tokens)


def _has_token(example: Any) -> bool:
    return "token" in example["answers"].get("201", {})
