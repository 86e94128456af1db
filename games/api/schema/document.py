"""Generate the OpenAPI document in versions 3.1 and 3.0, and check that every route is described."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

from django.core.checks import CheckMessage, Error
from django.urls import URLPattern, get_resolver
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.plumbing import is_jsonschema_compliant
from drf_spectacular.settings import patched_settings

from games.api.problems import problem_body
from games.api.schema.components import TOKEN, Components
from games.api.schema.operations import (
    DESCRIPTION,
    HEADERS,
    PATH_PARAMETER_DESCRIPTIONS,
    TAGS,
    TITLE,
    VERSION,
    Link,
    Operation,
)
from games.api.views import METHODS, ApiView
from games.core.errors import CODES, Problem

Json = dict[str, Any]
Endpoint = tuple[str, str, str, Any]

API: Final = "api/v1/"
OPENAPI_31: Final = "3.1.0"
OPENAPI_30: Final = "3.0.3"

# Settings of the generator are those of its module, for every thread.
_SETTINGS_LOCK: Final = Lock()


Describe = Callable[[Components], Json]
_describing: Final[list[Describe]] = []


def describe_webhooks(describe: Describe) -> None:
    """Add the requests that the service sends by itself to the document."""
    if describe not in _describing:
        _describing.append(describe)


def _sent(components: Components) -> Json:
    return {name: request for describe in _describing for name, request in describe(components).items()}


class ContractGenerator(SchemaGenerator):
    """Walks through our own routes; what answers there has to be an `ApiView`, or to be described by one."""

    def get_schema(self, request: Any = None, public: bool = False) -> Json:  # noqa: FBT001, FBT002 -- as the base has it
        """The document, with what the service sends by itself where the version knows of such."""
        components = Components()
        components.registry, components.view = self.registry, ApiView(request=None)
        sent = _sent(components) if is_jsonschema_compliant() else {}
        made: Json = super().get_schema(request, public)  # type: ignore[no-untyped-call]  # comes so
        return made | {"webhooks": sent} if sent else made

    def _initialise_endpoints(self) -> None:
        self.endpoints: Any = list(endpoints())


def endpoints() -> Iterator[Endpoint]:
    """Every address, how it is written as a route, a method, and the view."""
    for pattern in routes():
        route = str(pattern.pattern)
        view = view_of(pattern)
        for method in METHODS:
            if hasattr(view, method.lower()):
                yield _address(route), route, method, view.as_view()


def routes() -> list[URLPattern]:
    """The routes of the API that lead somewhere and belong to the contract."""
    ours: list[Any] = get_resolver("games.urls").url_patterns
    return [each for each in ours if each.name and not getattr(each.callback, "is_no_part", False)]


def view_of(pattern: URLPattern) -> type[ApiView]:
    """The view at a route; a plain function names the one that it is described by."""
    callback: Any = pattern.callback
    found: type[ApiView] = getattr(callback, "described_by", None) or callback.cls
    return found


def _operations() -> Iterator[Operation]:
    for pattern in routes():
        yield from view_of(pattern).operations.values()


def _address(route: str) -> str:
    """`matches/<id:match_id>` as clients write it."""
    parts = (part.rpartition(":")[2] if part.startswith("<") else part for part in route.split("/"))
    return f"/{API}" + "/".join(f"{{{part[:-1]}}}" if part.endswith(">") else part for part in parts)


@cache
def document(version: str = OPENAPI_31) -> Json:
    """The whole contract."""
    settings = {
        "OAS_VERSION": version,
        "TITLE": TITLE,
        "VERSION": VERSION,
        "DESCRIPTION": DESCRIPTION,
        "COMPONENT_SPLIT_REQUEST": True,
        "POSTPROCESSING_HOOKS": [],
        "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
        "SERVERS": [{"url": "/", "description": "The server that this document was read from"}],
        "TAGS": [{"name": tag.name, "description": tag.description} for tag in TAGS],
        "LICENSE": {"name": "MIT", "url": "https://spdx.org/licenses/MIT.html"},
    }
    with _SETTINGS_LOCK, patched_settings(settings):
        made = ContractGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]  # comes so
    add_links(made["paths"], _operations())
    add_examples(made["paths"])
    made["components"] |= _shared(made["paths"])
    return made if version == OPENAPI_31 else to_openapi_30(made)


def _shared(paths: Json) -> Json:
    """What operations refer to: headers, an example of every code that is used, how to authenticate."""
    scheme = {"type": "http", "scheme": "bearer", "description": "`Authorization: Bearer <token>`"}
    answers = [
        answer
        for methods in paths.values()
        for operation in methods.values()
        for answer in operation["responses"].values()
    ]
    used = {code for answer in answers for code in answer.get("x-codes", ())}
    return {"headers": HEADERS, "examples": problem_examples(used), "securitySchemes": {TOKEN: scheme}}


_NAME: Final = re.compile(r"\{(\w+)\}")


def add_links(paths: Json, operations: Iterable[Operation]) -> None:
    """Lead from each operation to those that can be asked with what it answers."""
    said = {each.id: each for each in operations}
    addresses = {
        operation["operationId"]: path for path, methods in paths.items() for operation in methods.values()
    }
    for path, methods in paths.items():
        for operation in methods.values():
            links = _links(said[operation["operationId"]], path, addresses)
            if links:
                success = next(answer for status, answer in operation["responses"].items() if status < "300")
                success["links"] = links


def _links(said: Operation, here: str, addresses: Mapping[str, str]) -> Json:
    known = {name: f"$request.path.{name}" for name in _NAME.findall(here)}
    made = known | {name: f"$response.body#{pointer}" for name, pointer in said.makes.items()}
    everywhere = {
        name: _link(Link(name), made, path)
        for name, path in addresses.items()
        if said.makes.keys() & set(_NAME.findall(path)) and set(_NAME.findall(path)) <= made.keys()
    }
    return everywhere | {lead.to: _link(lead, known, addresses[lead.to]) for lead in said.leads}


def _link(lead: Link, known: Mapping[str, str], path: str) -> Json:
    """To an operation whose address is filled in from the answer and from the address that was asked."""
    filled = {name: known[name] for name in _NAME.findall(path) if name in known}
    link: Json = {"operationId": lead.to, "parameters": {**filled, **lead.parameters}}
    return link if lead.body is None else link | {"requestBody": lead.body}


def to_openapi_30(made: Json) -> Json:
    """Say in the terms of 3.0 what 3.1 says otherwise."""
    for methods in made["paths"].values():
        for operation in methods.values():
            operation["security"] = _without_scopes(operation["security"])
    for schema in list(_nullable(made)):
        if "type" not in schema:
            referred = schema.pop("allOf")[0]
            of_its_type = {"type": _type_of(referred["$ref"], made), "nullable": True, "enum": [None]}
            schema |= {"oneOf": [referred, of_its_type]}
            del schema["nullable"]
    return made


def _without_scopes(security: list[Json]) -> list[Json]:
    """3.0 knows scopes for OAuth alone; `x-scopes` tells them there."""
    told: list[Json] = [{name: [] for name in each} for each in security]
    return [each for at, each in enumerate(told) if each not in told[:at]]


def _nullable(value: Any) -> Iterator[Json]:
    """Every schema that may be null: beside a reference, null has to be a choice of its own."""
    if isinstance(value, dict):
        if value.get("nullable") is True:
            yield value
        for each in value.values():
            yield from _nullable(each)
    elif isinstance(value, list):
        for each in value:
            yield from _nullable(each)


def _type_of(ref: str, made: Json) -> str:
    referred = made["components"]["schemas"][ref.rpartition("/")[2]]
    named: str = referred.get("type", "object")
    return named


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


HINT = "See 'Add an API endpoint' in CONTRIBUTING.md."


def routes_are_described(**_: Any) -> list[CheckMessage]:
    """Every method of every route has its operation, no other has one, and every id is of one operation."""
    return [Error(message, hint=HINT, id="games.E001") for message in missing_descriptions()]


def missing_descriptions() -> Iterator[str]:
    """What is missing, in words."""
    seen: dict[str, str] = {}
    for pattern in routes():
        route = str(pattern.pattern)
        try:
            view = view_of(pattern)
        except AttributeError:
            yield f"{route} is answered by a function that names no view that it is `described_by`."
            continue
        methods = {name for name in METHODS if hasattr(view, name.lower())}
        for method in sorted(methods ^ view.operations.keys()):
            yield f"{view.__name__}.operations and its methods differ: {method} of {route}."
        for name in pattern.pattern.converters:
            if name not in PATH_PARAMETER_DESCRIPTIONS:
                yield f"PATH_PARAMETER_DESCRIPTIONS does not describe `{name}` of {route}."
        for operation in view.operations.values():
            if seen.setdefault(operation.id, route) != route:
                yield f"The operations of {route} and of {seen[operation.id]} are both called {operation.id}."
