"""The endpoints that apps call themselves: tokens, revocation and the metadata of the server (RFC 8414)."""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from corsheaders.middleware import CorsMiddleware
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from oauth2_provider.settings import oauth2_settings

from games.core.addresses import client_address
from games.core.rate_limits import count_request
from games.oauth.protocol import ProtocolCore, issuer, scope_values
from games.oauth.queries import APP_SCOPES

View = Callable[[HttpRequest], HttpResponse]

METHOD_NOT_ALLOWED: Final = 405
TOO_MANY_REQUESTS: Final = 429
_FORM: Final = "application/x-www-form-urlencoded"
_METADATA_SECONDS: Final = 3600
# The page for people who write apps.
GUIDE: Final = "/docs/guide/oauth/"


def open_to_all_origins(view: View) -> View:
    """Decorate an endpoint that pages of every origin may call: it reads no cookies."""
    with_cors: Any = CorsMiddleware(view)

    @csrf_exempt
    @wraps(view)
    def answer(request: HttpRequest) -> HttpResponse:
        response: HttpResponse = with_cors(request)
        return response

    return answer


def _posted(view: View) -> View:
    """Decorate an endpoint that reads a form: check the method and the type, and count the request."""

    @wraps(view)
    def answer(request: HttpRequest) -> HttpResponse:
        if request.method != "POST":
            response = _error(METHOD_NOT_ALLOWED, "invalid_request", "Send a POST request.")
            response.headers["Allow"] = "POST"
            return response
        if request.content_type != _FORM:
            return _error(400, "invalid_request", f"Send the parameters as {_FORM}.")
        if request.GET:
            return _error(400, "invalid_request", "Send the parameters in the body, none in the URL.")
        if any(len(values) > 1 for _, values in request.POST.lists()):
            return _error(400, "invalid_request", "Send each parameter once.")
        counted = count_request("address", f"a{client_address(request)}")
        if counted is not None and counted.is_exceeded:
            response = _error(TOO_MANY_REQUESTS, "temporarily_unavailable", "Too many requests.")
            response.headers["Retry-After"] = str(counted.seconds_left)
            return response
        return view(request)

    return answer


@open_to_all_origins
@_posted
def token(request: HttpRequest) -> HttpResponse:
    """Exchange a code or a refresh token for new tokens."""
    _, headers, body, status = _core().create_token_response(request)
    return _answer(headers, body, status)


@open_to_all_origins
@_posted
def revoke(request: HttpRequest) -> HttpResponse:
    """End the sign-in that a token belongs to; an unknown token is no error (RFC 7009)."""
    _, headers, body, status = _core().create_revocation_response(request)
    return _answer(headers, body, status)


@open_to_all_origins
def metadata(request: HttpRequest) -> HttpResponse:
    """Describe the endpoints and what they support."""
    site = issuer(request)
    response = JsonResponse(
        {
            "issuer": site,
            "authorization_endpoint": f"{site}/oauth/authorize",
            "token_endpoint": f"{site}/oauth/token",
            "revocation_endpoint": f"{site}/oauth/revoke",
            "scopes_supported": scope_values(APP_SCOPES),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_methods_supported": ["none"],
            "revocation_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
            "service_documentation": f"{site}{GUIDE}",
        }
    )
    response.headers["Cache-Control"] = f"public, max-age={_METADATA_SECONDS}"
    return response


def _core() -> ProtocolCore:
    return ProtocolCore(
        oauth2_settings.OAUTH2_SERVER_CLASS(
            oauth2_settings.OAUTH2_VALIDATOR_CLASS(), **oauth2_settings.server_kwargs
        )
    )


def _answer(headers: dict[str, str], body: str | None, status: int) -> HttpResponse:
    response = HttpResponse(body or "", status=status, content_type="application/json")
    for name, value in headers.items():
        response.headers[name] = value
    response.headers["Cache-Control"] = "no-store"
    return response


def _error(status: int, code: str, description: str) -> HttpResponse:
    body = json.dumps({"error": code, "error_description": description})
    return _answer({}, body, status)
