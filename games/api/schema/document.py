"""Generate the OpenAPI document in versions 3.1 and 3.0, and check that every route is described."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.urls import URLPattern, get_resolver
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.plumbing import is_jsonschema_compliant
from drf_spectacular.settings import patched_settings

from games.api.problems import guide_url, problem_body
from games.api.schema.components import TOKEN, Components, OpenApiObject
from games.api.schema.operations import (
    DESCRIPTION,
    HEADERS,
    PATH_PARAMETER_DESCRIPTIONS,
    TAGS,
    TITLE,
    Link,
    Operation,
    WebhookObject,
)
from games.api.views import METHODS, ApiView
from games.core.errors import CODES, Problem
from games.gateway.release import VERSION

Endpoint = tuple[str, str, str, Any]

API: Final = "api/v1/"
OPENAPI_31: Final = "3.1.0"
OPENAPI_30: Final = "3.0.3"

# `patched_settings` changes the global settings of drf-spectacular, which all threads share.
_SETTINGS_LOCK: Final = Lock()


WebhookSource = Callable[[Components], Mapping[str, WebhookObject]]
_webhook_sources: Final[list[WebhookSource]] = []


def describe_webhooks(source: WebhookSource) -> None:
    """Register a function that returns the `webhooks` of the document."""
    if source not in _webhook_sources:
        _webhook_sources.append(source)


def _webhooks(components: Components) -> dict[str, WebhookObject]:
    return {name: request for source in _webhook_sources for name, request in source(components).items()}


class ContractGenerator(SchemaGenerator):
    """Generates the document from the named routes of the API, each of which must have an `ApiView`."""

    def get_schema(self, request: Any = None, public: bool = False) -> OpenApiObject:  # noqa: FBT001, FBT002 -- as the base has it
        """Return the document, with webhooks if the OpenAPI version supports them."""
        components = Components()
        components.registry, components.view = self.registry, ApiView(request=None)
        webhooks = _webhooks(components)
        schema: OpenApiObject = super().get_schema(request, public)  # type: ignore[no-untyped-call]  # comes so
        add_callbacks(schema["paths"], _operations(), webhooks)
        return schema | {"webhooks": webhooks} if is_jsonschema_compliant() else schema

    def _initialise_endpoints(self) -> None:
        self.endpoints: Any = list(endpoints())


def endpoints() -> Iterator[Endpoint]:
    """Yield the path, the Django route, the method and the view of every operation."""
    for pattern in routes():
        route = str(pattern.pattern)
        view = view_of(pattern)
        for method in METHODS:
            if hasattr(view, method.lower()):
                yield _path_template(route), route, method, view.as_view()


def routes() -> list[URLPattern]:
    """Return the routes of the API in the order of the document."""
    urls: Any = get_resolver("games.urls").urlconf_module
    found: list[URLPattern] = urls.ROUTES
    return found


def view_of(pattern: URLPattern) -> type[ApiView]:
    """Return the view class of a route."""
    callback: Any = pattern.callback
    view_class: type[ApiView] = callback.cls
    return view_class


def _operations() -> Iterator[Operation]:
    for pattern in routes():
        yield from view_of(pattern).operations.values()


def _path_template(route: str) -> str:
    """Convert a Django route such as `matches/<id:match_id>` to an OpenAPI path template."""
    parts = (part.rpartition(":")[2] if part.startswith("<") else part for part in route.split("/"))
    return f"/{API}" + "/".join(f"{{{part[:-1]}}}" if part.endswith(">") else part for part in parts)


@cache
def document(version: str = OPENAPI_31) -> OpenApiObject:
    """Return the OpenAPI document in one version."""
    guides = f"{settings.HAGGIS_SITE_ADDRESS}/docs/"
    options = {
        "OAS_VERSION": version,
        "TITLE": TITLE,
        "VERSION": VERSION,
        "DESCRIPTION": DESCRIPTION,
        "COMPONENT_SPLIT_REQUEST": True,
        "POSTPROCESSING_HOOKS": [],
        "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
        "SERVERS": [{"url": "/", "description": "The server that serves this document"}],
        "TAGS": [{"name": tag.name, "description": tag.description} for tag in TAGS],
        "CONTACT": {"name": "The operators of this service", "url": guides},
        "EXTERNAL_DOCS": {"url": guides, "description": "Guides: quickstarts, bots, errors, webhooks"},
        "LICENSE": {"name": "MIT", "url": "https://spdx.org/licenses/MIT.html"},
    }
    with _SETTINGS_LOCK, patched_settings(options):
        schema = ContractGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]  # comes so
    add_links(schema["paths"], _operations())
    add_examples(schema["paths"], _operations())
    schema["components"] |= _shared_components(schema["paths"])
    return schema if version == OPENAPI_31 else to_openapi_30(schema)


def _shared_components(paths: OpenApiObject) -> OpenApiObject:
    """Return the components that operations refer to: headers, problem examples and the security scheme."""
    scheme = {"type": "http", "scheme": "bearer", "description": "`Authorization: Bearer <token>`"}
    responses = [
        response
        for methods in paths.values()
        for operation in methods.values()
        for response in operation["responses"].values()
    ]
    used = {code for response in responses for code in response.get("x-codes", ())}
    return {"headers": HEADERS, "examples": problem_examples(used), "securitySchemes": {TOKEN: scheme}}


def add_callbacks(
    paths: OpenApiObject, operations: Iterable[Operation], webhooks: Mapping[str, WebhookObject]
) -> None:
    """Describe the webhooks once more as callbacks of the operation that registers an endpoint.

    OpenAPI 3.0 has no webhooks, and some tools for 3.1 ignore them and the schemas that only they refer to.
    """
    urls = {each.id: each.callback_url for each in operations if each.callback_url}
    for methods in paths.values():
        for operation in methods.values():
            if url := urls.get(operation["operationId"]):
                operation["callbacks"] = {name: {url: _callback(each)} for name, each in webhooks.items()}


def _callback(webhook: WebhookObject) -> OpenApiObject:
    """Return a webhook as a callback, whose operation id must be another one."""
    post = webhook["post"]
    return {"post": {**post, "operationId": f"{post['operationId']}ByCallback"}}


_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")


def add_links(paths: OpenApiObject, operations: Iterable[Operation]) -> None:
    """Add OpenAPI links from each operation to those that take values from its response."""
    declared = {each.id: each for each in operations}
    paths_by_id = {
        operation["operationId"]: path for path, methods in paths.items() for operation in methods.values()
    }
    for path, methods in paths.items():
        for operation in methods.values():
            links = _links(declared[operation["operationId"]], path, paths_by_id)
            if links:
                # The response that creates or accepts something, if there are several.
                status = max(status for status in operation["responses"] if status < "300")
                operation["responses"][status]["links"] = links


def _links(operation: Operation, path: str, paths_by_id: Mapping[str, str]) -> OpenApiObject:
    path_values = {name: f"$request.path.{name}" for name in _PLACEHOLDER.findall(path)}
    values = path_values | {
        name: f"$response.body#{pointer}" for name, pointer in operation.link_values.items()
    }
    implied = {
        operation_id: _link(Link(operation_id), values, target)
        for operation_id, target in paths_by_id.items()
        if operation.link_values.keys() & set(_PLACEHOLDER.findall(target))
        and set(_PLACEHOLDER.findall(target)) <= values.keys()
    }
    return implied | {link.to: _link(link, path_values, paths_by_id[link.to]) for link in operation.links}


def _link(link: Link, values: Mapping[str, str], path: str) -> OpenApiObject:
    """Return an OpenAPI link with the path parameters of its target filled in."""
    filled = {name: values[name] for name in _PLACEHOLDER.findall(path) if name in values}
    schema: OpenApiObject = {"operationId": link.to, "parameters": {**filled, **link.parameters}}
    # Not `requestBody`, which validators reject unless it is a string.
    return schema if link.body is None else schema | {"x-request-body": link.body}


def to_openapi_30(document: OpenApiObject) -> OpenApiObject:
    """Convert the constructs of a document that differ between 3.1 and 3.0."""
    for schema in list(_nullable(document)):
        if "type" not in schema:
            referred = schema.pop("allOf")[0]
            null = {"type": _type_of(referred["$ref"], document), "nullable": True, "enum": [None]}
            schema |= {"oneOf": [referred, null]}
            del schema["nullable"]
    return document


def _nullable(value: Any) -> Iterator[OpenApiObject]:
    """Yield every nullable schema in a document."""
    if isinstance(value, dict):
        if value.get("nullable") is True:
            yield value
        for each in value.values():
            yield from _nullable(each)
    elif isinstance(value, list):
        for each in value:
            yield from _nullable(each)


def _type_of(ref: str, document: OpenApiObject) -> str:
    referred = document["components"]["schemas"][ref.rpartition("/")[2]]
    schema_type: str = referred.get("type", "object")
    return schema_type


RECORDED: Final = Path(__file__).with_name("recorded.json")
JSON: Final = "application/json"


@cache
def recorded() -> OpenApiObject:
    """Return the recorded examples: bodies and responses by operation, problems by code."""
    examples: OpenApiObject = json.loads(RECORDED.read_text(encoding="utf-8"))
    return examples


def add_examples(paths: OpenApiObject, operations: Iterable[Operation]) -> None:
    """Add the recorded requests and responses to the operations as examples."""
    declared = {each.id: each for each in operations}
    for methods in paths.values():
        for operation in methods.values():
            example = recorded()["operations"].get(operation["operationId"], {"answers": {}})
            if "body" in example and "requestBody" in operation:
                operation["requestBody"]["content"][JSON]["example"] = example["body"]
            for status, answer in example["answers"].items():
                content = operation["responses"].get(status, {}).get("content", {})
                if JSON in content:
                    content[JSON]["example"] = answer
            for media_type, derive in declared[operation["operationId"]].media_examples.items():
                example = derive(recorded()["operations"])
                operation["responses"]["200"]["content"][media_type]["example"] = example


# The document is the same for every server, so its examples are of none.
EXAMPLE_SITE: Final = "https://haggis.example"


def problem_examples(used: Collection[str]) -> OpenApiObject:
    """Return an example of every used problem code: the recorded one, else a minimal one."""
    return {
        code: {
            "summary": title,
            "value": (recorded()["problems"].get(code) or problem_body(Problem(code)))
            | {"type": guide_url(EXAMPLE_SITE, code)},
        }
        for code, (_, title) in CODES.items()
        if code in used
    }


HINT = "See 'Add an API endpoint' in CONTRIBUTING.md."


def routes_are_described(**_: Any) -> list[CheckMessage]:
    """Check that every method of every route has an operation with a unique id, and that no other has one."""
    return [Error(message, hint=HINT, id="games.E001") for message in missing_descriptions()]


def missing_descriptions() -> Iterator[str]:
    """Yield a message for every missing or inconsistent description."""
    seen: dict[str, str] = {}
    for pattern in routes():
        route = str(pattern.pattern)
        try:
            view = view_of(pattern)
        except AttributeError:
            yield f"The view at {route} is not an `ApiView`."
            continue
        methods = {name for name in METHODS if hasattr(view, name.lower())}
        for method in sorted(methods ^ view.operations.keys()):
            yield f"{view.__name__}.operations and the methods of the view differ: {method} of {route}."
        for name in pattern.pattern.converters:
            if name not in PATH_PARAMETER_DESCRIPTIONS:
                yield f"PATH_PARAMETER_DESCRIPTIONS does not describe `{name}` of {route}."
        for operation in view.operations.values():
            if seen.setdefault(operation.id, route) != route:
                yield f"The operations of {route} and {seen[operation.id]} have the same id {operation.id}."
