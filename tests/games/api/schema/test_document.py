"""The OpenAPI document: every route is described, and the published files are current."""

import json
import re
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import path

from games.api.schema.document import OPENAPI_30, OPENAPI_31, document, missing_descriptions, recorded, routes
from games.core.errors import CODES
from tools.write_contract import PUBLISHED, documents

OPERATIONS = [
    pytest.param(operation, id=operation["operationId"])
    for methods in document()["paths"].values()
    for operation in methods.values()
]
VERSIONS = (OPENAPI_31, OPENAPI_30)


def subschemas(value: Any, at: str = "") -> Any:
    """Yield every nested schema with its location."""
    if isinstance(value, dict):
        yield at, value
        for name, each in value.items():
            yield from subschemas(each, f"{at}/{name}")
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from subschemas(each, f"{at}/{number}")


def test_the_document_describes_exactly_the_routes() -> None:
    assert list(missing_descriptions()) == []
    written = {re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/api/v1/{route.pattern}") for route in routes()}
    assert written == document()["paths"].keys()


def test_a_route_without_a_description_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    undocumented = path("undocumented", lambda _: HttpResponse(), name="undocumented")
    monkeypatch.setattr("games.api.schema.document.routes", lambda: [undocumented])
    assert "undocumented" in next(missing_descriptions())


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_has_a_summary_and_documents_its_problems(operation: Any) -> None:
    assert operation["summary"][0].isupper()
    assert not operation["summary"].endswith(".")
    assert operation["description"].strip()
    assert operation["tags"] == [
        tag["name"] for tag in document()["tags"] if tag["name"] in operation["tags"]
    ]
    problems = {status: each for status, each in operation["responses"].items() if status >= "400"}
    assert {"401", "429", "503"} <= problems.keys()
    for status, problem in problems.items():
        assert problem["x-codes"]
        assert {str(CODES[code][0]) for code in problem["x-codes"]} == {status}
        examples = problem["content"]["application/problem+json"]["examples"]
        assert list(examples) == problem["x-codes"]
    for parameter in operation.get("parameters", []):
        assert parameter["description"]


@pytest.mark.parametrize("version", VERSIONS)
def test_every_reference_resolves(version: str) -> None:
    whole = document(version)
    for at, schema in subschemas(whole):
        if isinstance(schema.get("$ref"), str):
            here: Any = whole
            for part in schema["$ref"].removeprefix("#/").split("/"):
                assert part in here, f"{schema['$ref']} at {at}"
                here = here[part]


LINKS = [
    pytest.param(operation, status, link, id=f"{operation['operationId']} {name}")
    for methods in document()["paths"].values()
    for operation in methods.values()
    for status, answer in operation["responses"].items()
    for name, link in answer.get("links", {}).items()
]


@pytest.mark.parametrize(("operation", "status", "link"), LINKS)
def test_every_link_resolves_to_an_operation_and_to_values_in_the_response(
    operation: Any, status: str, link: Any
) -> None:
    [(path, target)] = [
        (path, each)
        for path, methods in document()["paths"].items()
        for each in methods.values()
        if each["operationId"] == link["operationId"]
    ]
    assert set(re.findall(r"{(\w+)}", path)) <= link["parameters"].keys()
    assert link["parameters"].keys() <= {each["name"] for each in target.get("parameters", [])}
    responses = recorded()["operations"][operation["operationId"]]["answers"]
    for expression in re.findall(r'\$response\.body#([^"]*)"', json.dumps(link)):
        here: Any = responses[status]
        for part in expression.split("/")[1:]:
            here = here[int(part)] if isinstance(here, list) else here[part]


BODIES = [
    pytest.param(name, schema, id=name)
    for name, schema in document()["components"]["schemas"].items()
    if name.endswith("Request")
]


@pytest.mark.parametrize(("name", "schema"), BODIES)
def test_every_optional_member_of_a_body_documents_its_default(name: str, schema: Any) -> None:
    for member, given in schema.get("properties", {}).items():
        member_schema = given | document()["components"]["schemas"].get(
            given.get("$ref", "").rpartition("/")[2], {}
        )
        descriptions = f"{schema.get('description')} {member_schema.get('description')}".lower()
        in_words = "left out" in descriptions or "omitted" in descriptions
        has_default = member_schema.keys() & {"default", "x-default"} or in_words
        assert member in schema.get("required", ()) or has_default, f"{name}.{member}"


@pytest.mark.parametrize(("name", "schema"), BODIES)
def test_every_value_in_a_body_is_bounded(name: str, schema: Any) -> None:
    assert [at for at, each in subschemas(schema, name) if is_unbounded(each)] == []


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_documents_its_scopes_and_bounds_its_parameters(operation: Any) -> None:
    scopes = set(re.findall(r"`(\w+:\w+)`", operation["description"].rpartition("\n\n")[2]))
    assert set(operation["x-scopes"]) == scopes
    assert not scopes or {"token": []} in operation["security"]
    for parameter in operation.get("parameters", []):
        is_etag = parameter["name"] == "If-None-Match"  # any ETag, and lists of them
        assert is_etag or not is_unbounded(parameter["schema"]), parameter["name"]


def is_unbounded(schema: Any) -> bool:
    """Return whether a schema allows values of unlimited size."""
    types = schema.get("type", ())
    match types[0] if isinstance(types, list) else types:
        case "string":
            return not schema.keys() & {"enum", "pattern", "maxLength", "format"}
        case "integer" | "number":
            return not {"minimum", "maximum"} <= schema.keys()
        case "array":
            return "maxItems" not in schema
        case _:
            return False


def test_request_bodies_reject_additional_properties_and_responses_allow_them() -> None:
    for name, schema in document()["components"]["schemas"].items():
        if schema.get("type") == "object" and "properties" in schema:
            assert (schema.get("additionalProperties") is False) == name.endswith("Request"), name


@pytest.mark.parametrize("version", VERSIONS)
def test_each_version_uses_its_own_syntax_for_null(version: str) -> None:
    whole = document(version)
    assert whole["openapi"] == version
    nullable = [at for at, schema in subschemas(whole) if schema.get("nullable") is True]
    typed = [at for at, schema in subschemas(whole) if isinstance(schema.get("type"), list)]
    assert bool(nullable) == (version == OPENAPI_30)
    assert bool(typed) == (version == OPENAPI_31)
    assert version == OPENAPI_31 or "webhooks" not in whole


def test_the_published_files_match_the_served_documents() -> None:
    for name, text in documents().items():
        assert (PUBLISHED / name).read_text(encoding="utf-8") == text, f"{name} has drifted: make contract"


def test_the_documents_are_served(db: None) -> None:
    for address, version in (("schema/", OPENAPI_31), ("schema/3.0/", OPENAPI_30)):
        answer = Client().get(f"/api/v1/{address}")
        assert answer.json() == document(version)
        again = Client().get(f"/api/v1/{address}", headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_the_documentation_page_loads_local_files_only_and_has_no_inline_script(db: None) -> None:
    answer = Client().get("/api/docs/")
    page = answer.content.decode()
    loaded = re.findall(r'(?:src|href|data-schema)="([^"]+)"', page)
    assert len(loaded) == 5
    for address in loaded:
        assert Client().get(address).status_code == 200, address
    assert "<script>" not in page
    assert "<style" not in page
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
