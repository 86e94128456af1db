"""Problem responses (RFC 9457), and their description in the contract."""

import json
import logging
from collections.abc import Iterable
from itertools import groupby
from typing import Any, Final

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.serializers.json import DjangoJSONEncoder
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions, serializers

from games.api.schema.fields import (
    ReadingSerializer,
    ResponseSerializer,
    enumeration,
    list_field,
    named_clause,
)
from games.api.serializers import IntegerField, StringField, field_errors
from games.core.errors import CODES, EXTRA_MEMBERS, FIELD_CODES, Problem

CONTENT_TYPE: Final = "application/problem+json"
SECONDS_TO_WAIT_FOR_THE_DATABASE: Final = 2

UNAUTHORIZED: Final = 401

logger = logging.getLogger(__name__)

# The first that fits counts.
_CODES: Final[tuple[tuple[type[Exception], str], ...]] = (
    (exceptions.ParseError, "malformed_json"),
    (exceptions.NotAuthenticated, "not_authenticated"),
    (exceptions.AuthenticationFailed, "not_authenticated"),
    (exceptions.PermissionDenied, "not_allowed"),
    (exceptions.NotFound, "not_found"),
    (exceptions.MethodNotAllowed, "method_not_allowed"),
    (exceptions.NotAcceptable, "not_acceptable"),
    (exceptions.UnsupportedMediaType, "unsupported_media_type"),
    (exceptions.Throttled, "rate_limited"),
    (Http404, "not_found"),
    (PermissionDenied, "not_allowed"),
    (RequestDataTooBig, "body_too_large"),
    (SuspiciousOperation, "invalid_parameter"),
    (UnreadablePostError, "malformed_json"),
)


def exception_handler(error: Exception, _: dict[str, Any]) -> HttpResponse | None:
    """Answer whatever a view raised; None for what is a fault of ours, which goes on to become a 500."""
    problem = _problem_of(error)
    return None if problem is None else problem_response(problem)


def problem_response(problem: Problem) -> HttpResponse:
    """Write a refusal as it goes out, with the headers that belong to it."""
    response = HttpResponse(
        json.dumps(problem_body(problem), cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":")),
        content_type=CONTENT_TYPE,
        status=problem.status,
        headers={"Cache-Control": "private, no-cache", "Vary": "Authorization, Accept"},
    )
    if problem.status == UNAUTHORIZED:
        response["WWW-Authenticate"] = 'Bearer realm="haggis"'
    if "retry_after" in problem.extra:
        response["Retry-After"] = str(problem.extra["retry_after"])
    return response


def problem_body(problem: Problem) -> dict[str, Any]:
    """The members of a problem.

    >>> problem_body(Problem("stale_version", version=7))["version"]
    7
    """
    body: dict[str, Any] = {
        "type": f"urn:haggis:problem:{problem.code}",
        "title": problem.title,
        "status": problem.status,
        "detail": problem.detail,
        "code": problem.code,
    }
    if problem.errors:
        body["errors"] = [
            {"pointer": error.pointer, "code": error.code, "detail": error.detail} for error in problem.errors
        ]
    return body | problem.extra


def _problem_of(error: Exception) -> Problem | None:
    if isinstance(error, Problem):
        return error
    if isinstance(error, OperationalError | InterfaceError):
        logger.error("the database did not answer", exc_info=error)
        return Problem("unavailable", retry_after=SECONDS_TO_WAIT_FOR_THE_DATABASE)
    if isinstance(error, exceptions.ValidationError):
        return Problem("validation_error", errors=tuple(field_errors(error.detail)))
    code = next((code for kind, code in _CODES if isinstance(error, kind)), None)
    return None if code is None else Problem(code)


@csrf_exempt
def not_found(_: HttpRequest, **__: object) -> HttpResponse:
    """Answer every address of the API that leads nowhere."""
    return problem_response(Problem("not_found"))


@csrf_exempt
def bad_request(_: HttpRequest) -> HttpResponse:
    """Answer a request that is refused before any view sees it, as one for another host."""
    return problem_response(Problem("bad_request"))


def server_error(_: HttpRequest) -> HttpResponse:
    """Answer when a fault of ours has been logged."""
    return problem_response(Problem("server_error"))


Json = dict[str, Any]

_HEADERS: Final = {
    401: ("WWW-Authenticate",),
    429: ("Retry-After", "RateLimit", "RateLimit-Policy"),
    503: ("Retry-After",),
}


def codes_by_status(codes: Iterable[str]) -> dict[int, list[str]]:
    """The codes in the order of the contract, under their statuses.

    >>> codes_by_status(["not_your_turn", "not_found", "stale_version"])
    {404: ['not_found'], 409: ['stale_version', 'not_your_turn']}
    """
    wanted = set(codes)
    known = sorted((code for code in CODES if code in wanted), key=lambda code: CODES[code][0])
    if unknown := wanted - CODES.keys():
        raise KeyError(*unknown)
    return {status: list(group) for status, group in groupby(known, key=lambda code: CODES[code][0])}


def problem_answer(codes: list[str]) -> Json:
    """The answers of one status: what each code says, and an example of it."""
    status = CODES[codes[0]][0]
    made: Json = {
        "description": "\n".join(f"- `{code}`: {CODES[code][1]}." for code in codes),
        "content": {
            CONTENT_TYPE: {
                "schema": {"$ref": "#/components/schemas/Problem"},
                "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in codes},
            }
        },
        "x-codes": codes,
    }
    if status in _HEADERS:
        made["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in _HEADERS[status]}
    return made


problem_code = enumeration("ProblemCode", CODES, "Why not: stable, for programs. More may come.")
field_code = enumeration("FieldCode", FIELD_CODES, "What is wrong with a field: stable. More may come.")


def _with(member: str, meaning: str) -> str:
    """What a member means, and the codes that it comes with, in their order."""
    codes = [f"`{code}`" for code in CODES if code in EXTRA_MEMBERS[member]]
    return f"With {', '.join(codes)}: {meaning}"


class FieldErrorSerializer(ResponseSerializer):
    """What is wrong with one part of a body."""

    pointer = StringField(allow_blank=True, help_text="Where, as a JSON pointer; empty for the whole body.")
    code = field_code()
    detail = StringField(help_text="The same for people.")


class ProblemSerializer(ResponseSerializer):
    """A refusal (RFC 9457). Go by `code`; `title` and `detail` are for people."""

    type = StringField(help_text="A URN made from the code.")
    title = StringField(help_text="What the code means.")
    status = IntegerField(min_value=400, max_value=599, help_text="The status of the answer.")
    detail = StringField(help_text="What it is this time.")
    code = problem_code()
    errors = FieldErrorSerializer(  # type: ignore[assignment]  # the metaclass takes it out of the class
        many=True,
        required=False,
        help_text="With `validation_error`: all that is wrong, each with its place.",
    )
    version = IntegerField(min_value=0, required=False, help_text=_with("version", "the version now."))
    readings = ReadingSerializer(
        many=True, required=False, help_text=_with("readings", "what the cards can be.")
    )
    rule = named_clause(required=False, help_text="Where a rule decides: the clause that is broken.")
    retry_after = IntegerField(
        min_value=0, required=False, help_text=_with("retry_after", "seconds to wait.")
    )
    parameter = StringField(required=False, help_text=_with("parameter", "which."))
    scopes = list_field(
        StringField(), required=False, help_text=_with("scopes", "any one of these is needed.")
    )
    seat = IntegerField(min_value=0, required=False, help_text=_with("seat", "the seat that is yours."))
    largest = serializers.IntegerField(required=False, help_text=_with("largest", "how many one may have."))
