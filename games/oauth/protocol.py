"""Parse authorization requests of apps, and make the addresses to which browsers return."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from oauth2_provider.exceptions import FatalClientError, OAuthToolkitError
from oauth2_provider.http import OAuth2ResponseRedirect
from oauth2_provider.oauth2_backends import OAuthLibCore, _add_iss_to_redirect
from oauth2_provider.settings import oauth2_settings
from oauthlib.oauth2 import AccessDeniedError, OAuth2Error

from games.core.errors import Problem
from games.identity.app_models import OAuthApp
from games.identity.models import Player, Scope
from games.oauth.validator import require_s256

# What oauthlib reads of the headers; it must not see cookies.
_HEADERS: Final = {"HTTP_AUTHORIZATION": "HTTP_AUTHORIZATION", "CONTENT_TYPE": "Content-Type"}


class ProtocolCore(OAuthLibCore):
    """The backend of the library, which passes on no cookies."""

    def extract_headers(self, request: HttpRequest) -> dict[str, str]:
        """Return the headers of the request that the protocol needs."""
        return {name: request.META[key] for key, name in _HEADERS.items() if key in request.META}


class _AuthorizationCore(ProtocolCore):
    """Read the query only: the body of the page's form has a password."""

    def extract_body(self, _request: HttpRequest) -> list[tuple[str, str]]:
        return []


class InvalidAppRequestError(Exception):
    """A request of an unknown app, or with another address than those of the app: it must not redirect."""


class AppRequestError(Exception):
    """An invalid request; the app is informed of it at `address`."""

    def __init__(self, address: str) -> None:
        super().__init__("the authorization request is invalid")
        self.address: Final = address


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """What an app asks of a player."""

    app: OAuthApp
    scopes: tuple[Scope, ...]
    redirect_uri: str
    state: str | None
    credentials: dict[str, Any]

    @property
    def target(self) -> str:
        """Where the browser goes afterwards, for people: a host, or the scheme of an installed app."""
        parts = urlsplit(self.redirect_uri)
        return parts.netloc or f"{parts.scheme}:"

    @property
    def form_target(self) -> str:
        """The same as a source of a content security policy, which forms may lead to."""
        parts = urlsplit(self.redirect_uri)
        return f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"{parts.scheme}:"

    @property
    def is_verifiable(self) -> bool:
        """Whether nobody but the app receives what is sent to its address.

        Any program of a device can claim a scheme, or listen at a port.
        """
        return urlsplit(self.redirect_uri).scheme == "https"


def read_authorization_request(request: HttpRequest) -> AuthorizationRequest:
    """Return what the app asks for; raise `InvalidAppRequestError` or `AppRequestError`."""
    try:
        scopes, credentials = _core().validate_authorization_request(request)
        require_s256(credentials["request"])
    except FatalClientError as error:
        raise InvalidAppRequestError(
            error.oauthlib_error.description or error.oauthlib_error.error
        ) from error
    except OAuthToolkitError as error:
        raise _error_to_app(request, error.oauthlib_error) from error
    except OAuth2Error as error:
        raise _error_to_app(request, error) from error
    return AuthorizationRequest(
        app=credentials["request"].client,
        scopes=tuple(scope for scope in Scope if scope in set(scopes)),
        redirect_uri=credentials["redirect_uri"],
        state=credentials["state"],
        credentials=credentials,
    )


def grant(request: HttpRequest, asked: AuthorizationRequest, player: Player) -> str:
    """Store the consent of the player; return the address with the code."""
    request.user = player
    try:
        address, _, _, _ = _core().create_authorization_response(
            request, [scope.value for scope in asked.scopes], asked.credentials, allow=True
        )
    except Problem:
        raise
    except FatalClientError as error:
        raise InvalidAppRequestError(str(error)) from error
    except OAuthToolkitError as error:
        raise _error_to_app(request, error.oauthlib_error) from error
    return str(address)


def refusal(request: HttpRequest, asked: AuthorizationRequest) -> str:
    """Return the address that tells the app that the player has refused."""
    error = AccessDeniedError(state=asked.state)
    return _with_issuer(request, error.in_uri(asked.redirect_uri))


def redirect_to_app(address: str) -> HttpResponse:
    """Return the redirect to an address of an app, whose scheme may be its own."""
    response: HttpResponse = OAuth2ResponseRedirect(address, [urlsplit(address).scheme])
    response.headers["Cache-Control"] = "no-store"
    return response


def issuer(request: HttpRequest) -> str:
    """Return the address of this service, by which an app recognises who answers it (RFC 9207)."""
    address: str = oauth2_settings.oauth2_authorization_server_issuer(request)
    return address


def scope_values(scopes: Iterable[Scope]) -> list[str]:
    """Return the scopes as text."""
    return [scope.value for scope in scopes]


def _core() -> _AuthorizationCore:
    server = oauth2_settings.OAUTH2_SERVER_CLASS(
        oauth2_settings.OAUTH2_VALIDATOR_CLASS(), **oauth2_settings.server_kwargs
    )
    return _AuthorizationCore(server)


def _error_to_app(request: HttpRequest, error: OAuth2Error) -> AppRequestError:
    return AppRequestError(_with_issuer(request, error.in_uri(error.redirect_uri)))


def _with_issuer(request: HttpRequest, address: str) -> str:
    return str(_add_iss_to_redirect(address, issuer(request)))
