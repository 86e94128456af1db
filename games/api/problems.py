"""Problem responses (RFC 9457) and their OpenAPI schema."""

import json
import logging
from collections.abc import Iterable
from itertools import groupby
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.serializers.json import DjangoJSONEncoder
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions, serializers
from rest_framework.request import Request

from games.api.schema.fields import (
    ReadingSerializer,
    ResponseSerializer,
    enumeration,
    list_field,
    named_clause,
)
from games.api.serializers import IntegerField, StringField, field_errors
from games.core.errors import CODES, EXTRA_MEMBERS, FIELD_CODES, Problem
from games.core.languages import negotiated_language, speaking, translated

CONTENT_TYPE: Final = "application/problem+json"
DATABASE_RETRY_AFTER_SECONDS: Final = 2

UNAUTHORIZED: Final = 401

logger = logging.getLogger(__name__)

# The first matching class decides.
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


def exception_handler(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """Return the problem response for an exception, or None for a bug, which becomes a 500."""
    problem = _problem_of(error)
    if problem is None:
        return None
    return problem_response(problem, accept_language(context["request"]))


def accept_language(request: HttpRequest | Request) -> str:
    """Return the header by which the language of a problem is chosen."""
    header: str = request.META.get("HTTP_ACCEPT_LANGUAGE", "")
    return header


def accept_language_of_headers(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """Return the same header, from those of an ASGI scope whose request is refused before Django has it."""
    return next((value.decode("latin-1") for name, value in headers if name == b"accept-language"), "")


def problem_response(problem: Problem, languages: str = "") -> HttpResponse:
    """Return the HTTP response for a problem, with its headers, in a language of an `Accept-Language` header.

    Only the title and the sentences are translated: what programs read is the same in every language.
    """
    language = negotiated_language(languages)
    with speaking(language):
        body = problem_body(problem)
    response = HttpResponse(
        json.dumps(body, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":")),
        content_type=CONTENT_TYPE,
        status=problem.status,
        headers={
            "Cache-Control": "private, no-cache",
            "Content-Language": language,
            "Vary": "Authorization, Accept, Accept-Language",
        },
    )
    if problem.status == UNAUTHORIZED:
        response["WWW-Authenticate"] = 'Bearer realm="haggis"'
    if "retry_after" in problem.extra:
        response["Retry-After"] = str(problem.extra["retry_after"])
    return response


def guide_url(site: str, code: str) -> str:
    """Return the address of the section about an error code in the guide.

    >>> guide_url("https://haggis.example", "not_found")
    'https://haggis.example/docs/errors/#not_found'
    """
    return f"{site}/docs/errors/#{code}"


def problem_body(problem: Problem) -> dict[str, Any]:
    """Return the members of a problem document.

    >>> problem_body(Problem("stale_version", version=7))["version"]
    7
    """
    body: dict[str, Any] = {
        "type": guide_url(settings.HAGGIS_SITE_ADDRESS, problem.code),
        "title": translated(problem.title),
        "status": problem.status,
        "detail": problem.detail,
        "code": problem.code,
    }
    if problem.errors:
        body["errors"] = [
            {"pointer": error.pointer, "code": error.code, "detail": translated(error.detail)}
            for error in problem.errors
        ]
    return body | problem.extra


def _problem_of(error: Exception) -> Problem | None:
    if isinstance(error, Problem):
        return error
    if isinstance(error, OperationalError | InterfaceError):
        logger.error("The database is not available", exc_info=error)
        return Problem("unavailable", retry_after=DATABASE_RETRY_AFTER_SECONDS)
    if isinstance(error, exceptions.ValidationError):
        return Problem("validation_error", errors=tuple(field_errors(error.detail)))
    code = next((code for kind, code in _CODES if isinstance(error, kind)), None)
    return None if code is None else Problem(code)


@csrf_exempt
def not_found(request: HttpRequest, **_: object) -> HttpResponse:
    """Return the 404 response for unknown URLs of the API."""
    return problem_response(Problem("not_found"), accept_language(request))


@csrf_exempt
def bad_request(request: HttpRequest) -> HttpResponse:
    """Return the 400 response for a request that middleware rejects, for example for an unknown host."""
    return problem_response(Problem("bad_request"), accept_language(request))


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the 500 response; Django has logged the exception."""
    return problem_response(Problem("server_error"), accept_language(request))


_HEADERS: Final = {
    401: ("WWW-Authenticate",),
    429: ("Retry-After", "RateLimit", "RateLimit-Policy"),
    503: ("Retry-After",),
}


def codes_by_status(codes: Iterable[str]) -> dict[int, list[str]]:
    """Group codes by status, in the order of `CODES`.

    >>> codes_by_status(["not_your_turn", "not_found", "stale_version"])
    {404: ['not_found'], 409: ['stale_version', 'not_your_turn']}
    """
    requested = set(codes)
    ordered = sorted((code for code in CODES if code in requested), key=lambda code: CODES[code][0])
    if unknown := requested - CODES.keys():
        raise KeyError(*unknown)
    return {status: list(group) for status, group in groupby(ordered, key=lambda code: CODES[code][0])}


def problem_answer(codes: list[str]) -> dict[str, Any]:
    """Return the OpenAPI response for the codes of one status, with an example of each."""
    status = CODES[codes[0]][0]
    response: dict[str, Any] = {
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
        response["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in _HEADERS[status]}
    return response


problem_code = enumeration(
    "ProblemCode", CODES, "The error code: stable, for programs. New codes may be added."
)
field_code = enumeration(
    "FieldCode", FIELD_CODES, "The error code of a field: stable. New codes may be added."
)


def _describe(member: str, description: str) -> str:
    """Return the help text of a member, starting with the codes that it accompanies."""
    codes = [f"`{code}`" for code in CODES if code in EXTRA_MEMBERS[member]]
    return f"With {', '.join(codes)}: {description}"


class FieldErrorSerializer(ResponseSerializer):
    """One error in a request body."""

    pointer = StringField(
        allow_blank=True, help_text="A JSON pointer to the value; empty for the whole body."
    )
    code = field_code()
    detail = StringField(help_text="An explanation for people.")


class ProblemSerializer(ResponseSerializer):
    """An error (RFC 9457). Programs should use `code`; `title` and `detail` are for people."""

    type = StringField(help_text="The address of the section about the code in the guide of this server.")
    title = StringField(help_text="What the code means.")
    status = IntegerField(min_value=400, max_value=599, help_text="The HTTP status.")
    detail = StringField(help_text="What is wrong with this request.")
    code = problem_code()
    errors = FieldErrorSerializer(  # type: ignore[assignment]  # the metaclass removes it from the class
        many=True,
        required=False,
        help_text="With `validation_error`: every error in the body, with its location.",
    )
    version = IntegerField(
        min_value=0, required=False, help_text=_describe("version", "the current version.")
    )
    readings = ReadingSerializer(
        many=True, required=False, help_text=_describe("readings", "what the cards can be played as.")
    )
    rule = named_clause(
        required=False, help_text="If a rule of the game decides: the clause that would be broken."
    )
    retry_after = IntegerField(
        min_value=0, required=False, help_text=_describe("retry_after", "seconds to wait before a retry.")
    )
    until = serializers.DateTimeField(required=False, help_text=_describe("until", "when that ends."))
    parameter = StringField(required=False, help_text=_describe("parameter", "the name of the parameter."))
    scopes = list_field(
        StringField(), required=False, help_text=_describe("scopes", "the token needs one of these scopes.")
    )
    seat = IntegerField(min_value=0, required=False, help_text=_describe("seat", "your seat."))
    largest = serializers.IntegerField(required=False, help_text=_describe("largest", "the limit."))
    condition = StringField(
        required=False,
        help_text=_describe(
            "condition",
            "what the invitation breaks of the bot's `challenges`: `rulesets`, `players`, `clock`, "
            "`opponents`, `rated` or `at_once`.",
        ),
    )
