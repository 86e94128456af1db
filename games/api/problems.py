"""How the API says no: one form, RFC 9457 problem+json, whatever went wrong."""

import json
import logging
from typing import Any, Final

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.serializers.json import DjangoJSONEncoder
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions

from games.api.shapes import field_errors
from games.errors import Problem

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


def answer_problem(error: Exception, _: dict[str, Any]) -> HttpResponse | None:
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
    if "retry_after" in problem.helps:
        response["Retry-After"] = str(problem.helps["retry_after"])
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
    return body | problem.helps


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
def nothing_here(_: HttpRequest, **__: object) -> HttpResponse:
    """Answer every address of the API that leads nowhere."""
    return problem_response(Problem("not_found"))


@csrf_exempt
def bad_request(_: HttpRequest) -> HttpResponse:
    """Answer a request that is refused before any view sees it, as one for another host."""
    return problem_response(Problem("bad_request"))


def server_error(_: HttpRequest) -> HttpResponse:
    """Answer when a fault of ours has been logged."""
    return problem_response(Problem("server_error"))
