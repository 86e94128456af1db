"""One operation of the document, made from what its view declares and from what the frame does by itself."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final, cast

from drf_spectacular.plumbing import ComponentRegistry

from games.api.permissions import ANYONE, Needs, scopes_of
from games.api.schema.components import REQUEST, RESPONSE, Components
from games.api.schema.fields import Union
from games.api.schema.forms.problems import ProblemForm
from games.api.schema.operation import CREATED, NOT_MODIFIED, OK, Answer, Body, Operation, Page
from games.api.schema.parameters import parameters_of, ref
from games.api.schema.problems import codes_by_status, problem_answer
from games.api.view import ApiView

Json = dict[str, Any]

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
        kept = _is_kept(view, method)
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
        codes = {*said.problems, *_problems_of_the_frame(path, said, needs, is_kept=kept)}
        made["responses"] = self._answers(said) | self._problems(codes)
        return made

    def _body(self, body: Body) -> Json:
        required = isinstance(body, Union) or body.needs_a_body()
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
        self.point_to(ProblemForm, RESPONSE)
        return {str(status): problem_answer(each) for status, each in codes_by_status(codes).items()}


def _is_kept(view: ApiView, method: str) -> bool:
    """Whether an `Idempotency-Key` counts."""
    return getattr(getattr(view, method.lower()), "idempotency", "never") != "never"


def _problems_of_the_frame(path: str, said: Operation, needs: Needs, *, is_kept: bool) -> Iterable[str]:
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


def _security(needs: Needs, method: str) -> list[Json]:
    """Any one of these is enough. What anybody may read may show more with a token; other answers do not."""
    if needs is ANYONE:
        return [{}, {TOKEN: []}] if method == "GET" else []
    return [{TOKEN: [str(scope)]} for scope in scopes_of(needs)] or [{TOKEN: []}]


def _access_in_words(needs: Needs) -> str:
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
