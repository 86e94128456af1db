"""The published contract: it says of every route what a client has to know, and is what is served."""

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


def described(value: Any, at: str = "") -> Any:
    """Every schema within a schema, with where it is."""
    if isinstance(value, dict):
        yield at, value
        for name, each in value.items():
            yield from described(each, f"{at}/{name}")
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from described(each, f"{at}/{number}")


def test_routes_and_contract_are_the_same_list() -> None:
    assert list(missing_descriptions()) == []
    written = {re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/api/v1/{route.pattern}") for route in routes()}
    assert written == document()["paths"].keys()


def test_a_route_that_says_nothing_of_itself_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = path("silence", lambda _: HttpResponse(), name="silence")
    monkeypatch.setattr("games.api.schema.document.routes", lambda: [silent])
    assert "silence" in next(missing_descriptions())


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_says_what_it_is_and_how_it_refuses(operation: Any) -> None:
    assert operation["summary"][0].isupper()
    assert not operation["summary"].endswith(".")
    assert operation["description"].strip()
    assert operation["tags"] == [
        tag["name"] for tag in document()["tags"] if tag["name"] in operation["tags"]
    ]
    refusals = {status: each for status, each in operation["responses"].items() if status >= "400"}
    assert {"401", "429", "503"} <= refusals.keys()
    for status, refusal in refusals.items():
        assert refusal["x-codes"]
        assert {str(CODES[code][0]) for code in refusal["x-codes"]} == {status}
        examples = refusal["content"]["application/problem+json"]["examples"]
        assert list(examples) == refusal["x-codes"]
    for parameter in operation.get("parameters", []):
        assert parameter["description"]


@pytest.mark.parametrize("version", VERSIONS)
def test_every_reference_leads_somewhere(version: str) -> None:
    whole = document(version)
    for at, schema in described(whole):
        if isinstance(schema.get("$ref"), str):
            here: Any = whole
            for part in schema["$ref"].removeprefix("#/").split("/"):
                assert part in here, f"{schema['$ref']} at {at}"
                here = here[part]


LINKS = [
    pytest.param(operation, link, id=f"{operation['operationId']} {name}")
    for methods in document()["paths"].values()
    for operation in methods.values()
    for answer in operation["responses"].values()
    for name, link in answer.get("links", {}).items()
]


@pytest.mark.parametrize(("operation", "link"), LINKS)
def test_a_link_leads_to_an_operation_with_what_the_answer_holds(operation: Any, link: Any) -> None:
    [(path, target)] = [
        (path, each)
        for path, methods in document()["paths"].items()
        for each in methods.values()
        if each["operationId"] == link["operationId"]
    ]
    assert set(re.findall(r"{(\w+)}", path)) <= link["parameters"].keys()
    assert link["parameters"].keys() <= {each["name"] for each in target.get("parameters", [])}
    kept = recorded()["operations"][operation["operationId"]]["answers"]
    answer = next(body for status, body in kept.items() if status < "300")
    for expression in re.findall(r'\$response\.body#([^"]*)"', json.dumps(link)):
        here: Any = answer
        for part in expression.split("/")[1:]:
            here = here[int(part)] if isinstance(here, list) else here[part]


BODIES = [
    pytest.param(name, schema, id=name)
    for name, schema in document()["components"]["schemas"].items()
    if name.endswith("Request")
]


@pytest.mark.parametrize(("name", "schema"), BODIES)
def test_a_body_says_what_counts_where_a_member_is_left_out(name: str, schema: Any) -> None:
    for member, said in schema.get("properties", {}).items():
        in_words = "left out" in f"{schema.get('description')} {said.get('description')}".lower()
        assert member in schema.get("required", ()) or "default" in said or in_words, f"{name}.{member}"


@pytest.mark.parametrize(("name", "schema"), BODIES)
def test_a_body_says_every_bound(name: str, schema: Any) -> None:
    assert [at for at, each in described(schema, name) if is_unbounded(each)] == []


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_says_its_scopes_and_the_bounds_of_its_parameters(operation: Any) -> None:
    needed = {scope for each in operation["security"] for scope in each.get("token", ())}
    assert set(operation["x-scopes"]) == needed
    for parameter in operation.get("parameters", []):
        told = parameter["name"] == "If-None-Match"  # whatever an ETag was, and lists of them
        assert told or not is_unbounded(parameter["schema"]), parameter["name"]


def is_unbounded(schema: Any) -> bool:
    """Whether a schema takes values without end."""
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


def test_bodies_are_closed_and_answers_are_open() -> None:
    for name, schema in document()["components"]["schemas"].items():
        if schema.get("type") == "object" and "properties" in schema:
            assert (schema.get("additionalProperties") is False) == name.endswith("Request"), name


@pytest.mark.parametrize("version", VERSIONS)
def test_each_version_is_written_in_its_own_terms(version: str) -> None:
    whole = document(version)
    assert whole["openapi"] == version
    nullable = [at for at, schema in described(whole) if schema.get("nullable") is True]
    typed = [at for at, schema in described(whole) if isinstance(schema.get("type"), list)]
    assert bool(nullable) == (version == OPENAPI_30)
    assert bool(typed) == (version == OPENAPI_31)
    assert version == OPENAPI_31 or "webhooks" not in whole


def test_the_published_files_are_what_the_service_serves() -> None:
    for name, text in documents().items():
        assert (PUBLISHED / name).read_text(encoding="utf-8") == text, f"{name} has drifted: make contract"


def test_the_documents_are_served(db: None) -> None:
    for address, version in (("schema/", OPENAPI_31), ("schema/3.0/", OPENAPI_30)):
        answer = Client().get(f"/api/v1/{address}")
        assert answer.json() == document(version)
        again = Client().get(f"/api/v1/{address}", headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_the_page_loads_nothing_from_elsewhere_and_no_script_is_written_into_it(db: None) -> None:
    answer = Client().get("/api/docs/")
    page = answer.content.decode()
    loaded = re.findall(r'(?:src|href|data-schema)="([^"]+)"', page)
    assert len(loaded) == 5
    for address in loaded:
        assert Client().get(address).status_code == 200, address
    assert "<script>" not in page
    assert "<style" not in page
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
