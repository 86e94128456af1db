"""Map serializers and operations to OpenAPI components."""

import json
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final, Literal, cast

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry, ResolvedComponent, append_meta, safe_ref
from rest_framework import serializers

from games.api.auth import ANYONE, AccessRule, scopes_of
from games.api.problems import ProblemSerializer, codes_by_status, problem_answer
from games.api.schema.fields import Union
from games.api.schema.operations import (
    ACCEPTED,
    CREATED,
    NOT_MODIFIED,
    OK,
    PARTIAL_CONTENT,
    Answer,
    Body,
    Operation,
    Page,
    Part,
    SchemaObject,
    deprecation_headers,
    location_header,
    page_schema,
    parameters_of,
    ref,
)
from games.api.schema.vocabulary import describe
from games.api.serializers import Card, RequestSerializer
from games.api.views import ApiView

# An object of the OpenAPI document whose structure drf-spectacular defines.
OpenApiObject = dict[str, Any]
Direction = Literal["request", "response"]

REQUEST: Final[Direction] = "request"
RESPONSE: Final[Direction] = "response"


class Components(AutoSchema):
    """Registers components and returns references to them."""

    def reference(self, part: Part, direction: Direction) -> SchemaObject:
        """Register the components of a part of the document and return a reference to it."""
        match part:
            case Union():
                return self._union(part, direction)
            case Page():
                return self._page(part)
            case None:
                return {}
            case _:
                ref: SchemaObject = self.resolve_serializer(part, direction).ref
                return ref

    def _page(self, page: Page) -> SchemaObject:
        name = f"{component_name(page.of)}Page"
        return self._registered(name, page_schema(self.reference(page.of, RESPONSE), name))

    def _enumeration(self, field: Any) -> SchemaObject:
        values, description = list(field.choices), field.description
        schema: SchemaObject = {"type": "string", "enum": values, "description": description}
        return self._registered(field.component, schema)

    def _union(self, union: Union, direction: Direction) -> SchemaObject:
        """Register a `oneOf` of the variants, with a discriminator if the union has one."""
        refs = {value: self.reference(variant, direction) for value, variant in union.variants.items()}
        schema: SchemaObject = {"description": union.description, "oneOf": list(refs.values())}
        if union.discriminator:
            mapping = {value: ref["$ref"] for value, ref in refs.items()}
            schema["discriminator"] = {"propertyName": union.discriminator, "mapping": mapping}
        return self._registered(union.component + ("Request" if direction == REQUEST else ""), schema)

    def resolve_serializer(self, serializer: Any, direction: Direction, *options: Any, **more: Any) -> Any:
        """Resolve serializers that are documented as a union of variants."""
        if hasattr(serializer, "schema_union"):
            union = serializer.schema_union()
            name = self._union(union, direction)["$ref"].rpartition("/")[2]
            return self.registry[name, ResolvedComponent.SCHEMA]
        return super().resolve_serializer(serializer, direction, *options, **more)

    def _registered(self, name: str, schema: SchemaObject) -> SchemaObject:
        component = ResolvedComponent(name, ResolvedComponent.SCHEMA, schema, name)
        self.registry.register_on_missing(component)
        return cast("SchemaObject", component.ref)

    def get_serializer_name(self, serializer: serializers.BaseSerializer[Any], direction: Direction) -> str:
        """Return the name of the component."""
        return component_name(type(serializer))

    def _map_serializer_field(self, field: Any, direction: Direction, *options: Any, **more: Any) -> Any:
        """Map unions and enumerations to components, and add `schema_extra` to other fields."""
        ref = self._map_own_field(field, direction)
        if ref is not None:
            meta: OpenApiObject = self._get_serializer_field_meta(field, direction)  # type: ignore[no-untyped-call]  # comes so
            meta.pop("minLength", None)
            meta.pop("maxLength", None)
            return append_meta({**ref}, meta)
        mapped: OpenApiObject | None = super()._map_serializer_field(field, direction, *options, **more)  # type: ignore[no-untyped-call]  # comes so
        if mapped is None:
            return None
        mapped.pop("x-spec-enum-id", None)
        return getattr(field, "schema_extra", {}) | mapped

    def _map_own_field(self, field: Any, direction: Direction) -> SchemaObject | None:
        match field:
            case Union():
                return self._union(field, direction)
            case Card():
                return self._registered(
                    Card.component, cast("SchemaObject", {"type": "string", **Card.schema_extra})
                )
            case _:
                return self._enumeration(field) if hasattr(field, "component") else None

    def _map_basic_serializer(self, serializer: Any, direction: Direction) -> OpenApiObject:
        """Disallow additional properties in request bodies, and add the defaults of optional members."""
        schema: OpenApiObject = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]  # comes so
        serializer_class = serializer if isinstance(serializer, type) else type(serializer)
        describe(schema.get("properties", {}))
        if issubclass(serializer_class, RequestSerializer):
            schema |= {"additionalProperties": False, **getattr(serializer_class, "schema_extra", {})}
            schema.setdefault("properties", {})
            for name, value in serializer_class.defaults.items():
                schema["properties"][name] = self._with_default(
                    f"{component_name(serializer_class)}Request", name, schema["properties"][name], value
                )
        return schema

    def _with_default(self, body: str, name: str, schema: SchemaObject, value: object) -> SchemaObject:
        """Document the default of an optional member so that generated types leave the member optional.

        openapi-typescript makes a member with `default` mandatory. So a scalar default is in a component that
        the member refers to; the default of any other member is in `x-default`.
        """
        if isinstance(value, bool | int | str) and schema.keys().isdisjoint({"$ref", "allOf", "oneOf"}):
            component = f"{body}{name.title().replace('_', '')}"
            return self._registered(component, cast("SchemaObject", {**schema, "default": value}))
        shown = json.dumps(value, ensure_ascii=False).strip('"')
        description = f"{schema.get('description', '')} Left out: `{shown}`.".strip()
        meta = {"description": description, "x-default": value}
        return cast("SchemaObject", safe_ref({**schema, **meta}))


def component_name(serializer: type[Any]) -> str:
    """Return the name of the component that describes a serializer.

    >>> component_name(type("TableSerializer", (), {})), component_name(type("JoinRequestSerializer", (), {}))
    ('Table', 'Join')
    """
    return serializer.__name__.removesuffix("Serializer").removesuffix("Request")


JSON: Final = "application/json"
STREAM: Final = "A stream of events, which stays open."
_WITH_CONTENT: Final = frozenset({OK, PARTIAL_CONTENT})
TOKEN: Final = "token"  # noqa: S105 -- the name of the security scheme


class ContractSchema(Components):
    """Generates operations from `ApiView.operations`."""

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: ComponentRegistry
    ) -> OpenApiObject | None:
        """Return the OpenAPI operation for a method of a path."""
        self.registry, self.path, self.method = registry, path, method
        view = cast("ApiView", self.view)
        operation, rule = view.operations[method], view.access[method]
        idempotent = _is_idempotent(view, method)
        schema: OpenApiObject = {
            "operationId": operation.id,
            "summary": operation.summary,
            "description": f"{operation.description}\n\n{_describe_access(rule)}",
            "tags": [operation.tag.name],
            "security": _security(rule, method),
            "x-scopes": [str(scope) for scope in scopes_of(rule)],
        }
        if parameters := parameters_of(operation, path_regex, is_idempotent=idempotent):
            schema["parameters"] = parameters
        if operation.body is not None:
            schema["requestBody"] = self._body(operation.body)
        codes = {*operation.problems, *_common_problem_codes(path, operation, rule, is_idempotent=idempotent)}
        if view.strict_parameters:
            codes.add("invalid_parameter")
        responses = self._responses(operation, is_idempotent=idempotent) | self._problems(codes)
        schema["responses"] = responses
        if operation.deprecation is not None:
            schema["deprecated"] = True
            for response in responses.values():
                response["headers"] = response.get("headers", {}) | deprecation_headers(operation.deprecation)
        return schema

    def _body(self, body: Body) -> OpenApiObject:
        required = isinstance(body, Union) or body.requires_body()
        return {"required": required, "content": {JSON: {"schema": self.reference(body, REQUEST)}}}

    def _responses(self, operation: Operation, *, is_idempotent: bool) -> OpenApiObject:
        responses = {
            str(status): self._response(operation, status, answer, is_idempotent=is_idempotent)
            for status, answer in operation.answers.items()
        }
        if operation.conditional:
            responses[str(NOT_MODIFIED)] = {
                "description": "Not modified since the ETag that you sent. No body.",
                "headers": {"ETag": ref("headers", "ETag")},
            }
        return responses

    def _response(
        self, operation: Operation, status: int, answer: Answer, *, is_idempotent: bool
    ) -> OpenApiObject:
        is_stream = answer is None and status in _WITH_CONTENT and bool(operation.other_media_types)
        description = operation.content or STREAM if is_stream else _describe_answer(answer, status)
        response: OpenApiObject = {"description": description}
        sent = {
            "ETag": operation.conditional,
            "Link": isinstance(answer, Page) or (operation.has_link and status == OK),
            "Idempotency-Replayed": is_idempotent,
        }
        headers: OpenApiObject = {name: ref("headers", name) for name, is_sent in sent.items() if is_sent}
        if operation.location and status in {CREATED, ACCEPTED}:
            headers["Location"] = location_header(operation)
        if headers:
            response["headers"] = headers
        content = {} if answer is None else {JSON: {"schema": self.reference(answer, RESPONSE)}}
        if status in _WITH_CONTENT:
            content |= {
                media_type: {"schema": schema} for media_type, schema in operation.other_media_types.items()
            }
        if content:
            response["content"] = content
        return response

    def _problems(self, codes: Iterable[str]) -> OpenApiObject:
        self.reference(ProblemSerializer, RESPONSE)
        return {str(status): problem_answer(each) for status, each in codes_by_status(codes).items()}


def _is_idempotent(view: ApiView, method: str) -> bool:
    """Return whether the method supports `Idempotency-Key`."""
    return getattr(getattr(view, method.lower()), "idempotency", "never") != "never"


def _common_problem_codes(
    path: str, operation: Operation, rule: AccessRule, *, is_idempotent: bool
) -> Iterable[str]:
    """Yield the codes that follow from the access rule, path, body and parameters of an operation."""
    yield from ("not_authenticated", "not_acceptable", "rate_limited", "server_error", "unavailable")
    if rule is not ANYONE:
        yield "account_suspended"
    if scopes_of(rule):
        yield "insufficient_scope"
    if "{" in path:
        yield "not_found"
    if operation.body is not None:
        yield from ("malformed_json", "request_timeout", "body_too_large")
        yield from ("unsupported_media_type", "validation_error")
    if operation.parameters or operation.page is not None:
        yield "invalid_parameter"
    if is_idempotent:
        yield from ("invalid_parameter", "idempotency_key_reused", "request_in_flight")


def _security(rule: AccessRule, method: str) -> list[OpenApiObject]:
    """Return the alternative security requirements; a token is optional for public GET requests.

    `x-scopes` lists the scopes: OpenAPI 3.0 allows them here for OAuth only, and Spectral in 3.1 too.
    """
    if rule is ANYONE:
        return [{}, {TOKEN: []}] if method == "GET" else []
    return [{TOKEN: []}]


def _describe_access(rule: AccessRule) -> str:
    scopes = scopes_of(rule)
    if scopes:
        return f"Requires a token with the scope {' or '.join(f'`{scope}`' for scope in scopes)}."
    return "Requires no token." if rule is ANYONE else "Requires a token with any scope."


def _describe_answer(answer: Answer, status: int) -> str:
    match answer:
        case None:
            return "Done. No body."
        case Page():
            return "One page of the list."
        case Union():
            return answer.description
        case _:
            return " ".join((answer.__doc__ or "").split()) or HTTPStatus(status).phrase
