"""Map serializers and operations to OpenAPI components."""

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
    CREATED,
    NOT_MODIFIED,
    OK,
    Answer,
    Body,
    Operation,
    Page,
    Part,
    page_schema,
    parameters_of,
    ref,
)
from games.api.serializers import RequestSerializer
from games.api.views import ApiView

Json = dict[str, Any]
Direction = Literal["request", "response"]

REQUEST: Final[Direction] = "request"
RESPONSE: Final[Direction] = "response"


class Components(AutoSchema):
    """Registers components, and gives references to them."""

    def point_to(self, form: Part, direction: Direction) -> Json:
        """Register whatever this is made of, and refer to it."""
        match form:
            case Union():
                return self._union(form, direction)
            case Page():
                return self._page(form)
            case None:
                return {}
            case _:
                ref: Json = self.resolve_serializer(form, direction).ref
                return ref

    def _page(self, page: Page) -> Json:
        name = f"{component_name(page.of)}Page"
        return self._registered(name, page_schema(self.point_to(page.of, RESPONSE), name))

    def _enumeration(self, field: Any) -> Json:
        schema = {"type": "string", "enum": list(field.choices), "description": field.meaning}
        return self._registered(field.component, schema)

    def _union(self, union: Union, direction: Direction) -> Json:
        """Refer to the forms, and to each by its value of the member that tells them apart."""
        refs = {value: self.point_to(form, direction) for value, form in union.forms.items()}
        schema: Json = {"description": union.meaning, "oneOf": list(refs.values())}
        if union.told_by:
            mapping = {value: ref["$ref"] for value, ref in refs.items()}
            schema["discriminator"] = {"propertyName": union.told_by, "mapping": mapping}
        return self._registered(union.component + ("Request" if direction == REQUEST else ""), schema)

    def resolve_serializer(self, serializer: Any, direction: Direction, *options: Any, **more: Any) -> Any:
        """Know the shapes that are told of kind by kind."""
        if hasattr(serializer, "described_as"):
            union = serializer.described_as()
            name = self._union(union, direction)["$ref"].rpartition("/")[2]
            return self.registry[name, ResolvedComponent.SCHEMA]
        return super().resolve_serializer(serializer, direction, *options, **more)

    def _registered(self, name: str, schema: Json) -> Json:
        component = ResolvedComponent(name, ResolvedComponent.SCHEMA, schema, name)
        self.registry.register_on_missing(component)
        ref: Json = component.ref
        return ref

    def get_serializer_name(self, serializer: serializers.BaseSerializer[Any], direction: Direction) -> str:
        """Return the name of the component."""
        return component_name(type(serializer))

    def _map_serializer_field(self, field: Any, direction: Direction, *options: Any, **more: Any) -> Any:
        """Know our own fields, and what a field says of itself beyond what the framework reads."""
        ours = self._our_own(field, direction)
        if ours is not None:
            meta: Json = self._get_serializer_field_meta(field, direction)  # type: ignore[no-untyped-call]  # comes so
            meta.pop("minLength", None)
            return append_meta(ours, meta)
        mapped: Json | None = super()._map_serializer_field(field, direction, *options, **more)  # type: ignore[no-untyped-call]  # comes so
        if mapped is None:
            return None
        mapped.pop("x-spec-enum-id", None)
        return getattr(field, "schema_extra", {}) | mapped

    def _our_own(self, field: Any, direction: Direction) -> Json | None:
        if isinstance(field, Union):
            return self._union(field, direction)
        return self._enumeration(field) if hasattr(field, "component") else None

    def _map_basic_serializer(self, serializer: Any, direction: Direction) -> Json:
        """Close the bodies of requests, and say what counts where a member is left out."""
        made: Json = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]  # comes so
        shape = serializer if isinstance(serializer, type) else type(serializer)
        if issubclass(shape, RequestSerializer):
            made |= {"additionalProperties": False, **getattr(shape, "schema_extra", {})}
            made.setdefault("properties", {})
            for name, value in shape.defaults.items():
                made["properties"][name] = safe_ref({**made["properties"][name], "default": value})
        return made


def component_name(serializer: type[Any]) -> str:
    """Return the name of the component that describes a serializer.

    >>> component_name(type("TableSerializer", (), {})), component_name(type("JoinRequestSerializer", (), {}))
    ('Table', 'Join')
    """
    return serializer.__name__.removesuffix("Serializer").removesuffix("Request")


JSON: Final = "application/json"
STREAM: Final = "A stream, written as it happens."
TOKEN: Final = "token"  # noqa: S105 -- the name of the security scheme


class ContractSchema(Components):
    """Makes operations from `ApiView.operations`."""

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: ComponentRegistry
    ) -> Json | None:
        """Make the operation of one method of one address."""
        self.registry, self.path, self.method = registry, path, method
        view = cast("ApiView", self.view)
        said, needs = view.operations[method], view.access[method]
        kept = _is_idempotent(view, method)
        made: Json = {
            "operationId": said.id,
            "summary": said.summary,
            "description": f"{said.description}\n\n{_access_in_words(needs)}",
            "tags": [said.tag.name],
            "security": _security(needs, method),
            "x-scopes": [str(scope) for scope in scopes_of(needs)],
        }
        if listed := parameters_of(said, path_regex, is_kept=kept):
            made["parameters"] = listed
        if said.body is not None:
            made["requestBody"] = self._body(said.body)
        codes = {*said.problems, *_frame_problem_codes(path, said, needs, is_kept=kept)}
        made["responses"] = self._answers(said) | self._problems(codes)
        return made

    def _body(self, body: Body) -> Json:
        required = isinstance(body, Union) or body.requires_body()
        return {"required": required, "content": {JSON: {"schema": self.point_to(body, REQUEST)}}}

    def _answers(self, said: Operation) -> Json:
        made = {str(status): self._answer(said, status, form) for status, form in said.answers.items()}
        if said.conditional:
            made[str(NOT_MODIFIED)] = {
                "description": "You have it as it is: the ETag that you sent still holds. No body.",
                "headers": {"ETag": ref("headers", "ETag")},
            }
        return made

    def _answer(self, said: Operation, status: int, form: Answer) -> Json:
        streams = form is None and status == OK and bool(said.other_forms)
        made: Json = {"description": STREAM if streams else _described(form, status)}
        told = {"ETag": said.conditional, "Location": said.tells_location and status == CREATED}
        if any(told.values()):
            made["headers"] = {name: ref("headers", name) for name, is_told in told.items() if is_told}
        content = {} if form is None else {JSON: {"schema": self.point_to(form, RESPONSE)}}
        if status == OK:
            content |= {media: {"schema": schema} for media, schema in said.other_forms.items()}
        if content:
            made["content"] = content
        return made

    def _problems(self, codes: Iterable[str]) -> Json:
        self.point_to(ProblemSerializer, RESPONSE)
        return {str(status): problem_answer(each) for status, each in codes_by_status(codes).items()}


def _is_idempotent(view: ApiView, method: str) -> bool:
    """Whether an `Idempotency-Key` counts."""
    return getattr(getattr(view, method.lower()), "idempotency", "never") != "never"


def _frame_problem_codes(path: str, said: Operation, needs: AccessRule, *, is_kept: bool) -> Iterable[str]:
    """What any such operation may be refused for."""
    yield from ("not_authenticated", "not_acceptable", "rate_limited", "server_error", "unavailable")
    if scopes_of(needs):
        yield "insufficient_scope"
    if "{" in path:
        yield "not_found"
    if said.body is not None:
        yield from ("malformed_json", "body_too_large", "unsupported_media_type", "validation_error")
    if said.parameters or any(isinstance(form, Page) for form in said.answers.values()):
        yield "invalid_parameter"
    if is_kept:
        yield from ("invalid_parameter", "idempotency_key_reused", "request_in_flight")


def _security(needs: AccessRule, method: str) -> list[Json]:
    """Any one of these is enough. What anybody may read may show more with a token; other answers do not."""
    if needs is ANYONE:
        return [{}, {TOKEN: []}] if method == "GET" else []
    return [{TOKEN: [str(scope)]} for scope in scopes_of(needs)] or [{TOKEN: []}]


def _access_in_words(needs: AccessRule) -> str:
    scopes = scopes_of(needs)
    if scopes:
        return f"Needs a token with the scope {' or '.join(f'`{scope}`' for scope in scopes)}."
    return "Needs no token." if needs is ANYONE else "Needs a token, of any scope."


def _described(form: Answer, status: int) -> str:
    match form:
        case None:
            return "It is done. No body."
        case Page():
            return "One page of the list."
        case Union():
            return form.meaning
        case _:
            return " ".join((form.__doc__ or "").split()) or HTTPStatus(status).phrase
