"""The base class of all API views, and common responses."""

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, Final

from django.core.exceptions import ImproperlyConfigured
from django.utils.cache import patch_vary_headers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.auth import PLAY, AccessRule
from games.api.content import MAX_BODY
from games.api.pagination import invalid_parameter
from games.api.schema.operations import ACCEPTED, CREATED, NO_CONTENT, Operation
from games.api.serializers import Body, RequestSerializer, validate_body
from games.core.errors import Problem
from games.core.languages import message
from games.identity.queries import render_player
from games.identity.services import NewToken

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_WITH_LOCATION: Final = frozenset({CREATED, ACCEPTED})


class ApiView(APIView):
    """A view that declares its access rules and operations, and validates bodies strictly."""

    access: ClassVar[dict[str, AccessRule]] = {}
    # The OpenAPI operation of each method; `manage.py check` reports a route without one (CONTRIBUTING.md).
    operations: ClassVar[dict[str, Operation]] = {}
    largest_body: ClassVar[int] = MAX_BODY
    # Whether query parameters that the operation does not declare are rejected; older routes ignore them.
    strict_parameters: ClassVar[bool] = False
    # An additional rate limit for a method, by its name in HAGGIS_LIMITS: {"POST": "mails"}.
    limits: ClassVar[dict[str, str]] = {}
    # Methods counted for the token or the address of the request, not for the player, who shares a limit
    # with every leaked token and could not revoke it otherwise.
    revoking_methods: ClassVar[frozenset[str]] = frozenset()
    # Whether apps of third parties may use the view for the players who have authorized them.
    allows_apps: ClassVar[bool] = True

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Raise if a method of the view has no access rule."""
        undeclared = {name for name in METHODS if hasattr(cls, name.lower())} ^ cls.access.keys()
        if undeclared:
            raise ImproperlyConfigured(f"{cls.__name__}.access and its methods differ: {sorted(undeclared)}.")
        return super().as_view(**initkwargs)

    @property
    def allowed_methods(self) -> list[str]:
        """The supported methods, without OPTIONS, which only the CORS middleware answers."""
        return list(self._methods())

    @classmethod
    @cache
    def _methods(cls) -> tuple[str, ...]:
        methods = tuple(name for name in METHODS if hasattr(cls, name.lower()))
        return (*methods, "HEAD") if "GET" in methods else methods

    @property
    def default_response_headers(self) -> dict[str, str]:
        """The headers of every response, which depends on the caller and on `Accept`."""
        return {"Allow": ", ".join(self._methods()), "Vary": "Authorization, Accept"}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Authenticate and count the request before checking permissions, so that rejected requests count."""
        self.format_kwarg = None
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)
        request.version, request.versioning_scheme = None, None
        self.check_throttles(request)
        self.check_permissions(request)
        if request.META.get("QUERY_STRING"):
            self._check_parameters(request)

    def _operation(self, request: Request) -> Operation | None:
        """Return the operation of the request, if the view supports the method."""
        return self.operations.get("GET" if request.method == "HEAD" else request.method or "")

    def _check_parameters(self, request: Request) -> None:
        """Reject repeated query parameters, and if the view is strict, unknown ones."""
        operation = self._operation(request)
        if operation is None:
            return  # answered with 405
        known = operation.query_names()
        for name, values in request.GET.lists():
            if name not in known:
                if self.strict_parameters:
                    raise Problem(
                        "invalid_parameter", "This request has no such parameter.", parameter=name[:100]
                    )
            elif len(values) > 1:
                raise invalid_parameter(name, f"{name} may be given only once.")

    def validated_body(self, serializer_class: type[RequestSerializer[Body]]) -> Body:
        """Return the validated body; a missing body is an empty object if no member is required."""
        data = self.request.data
        if "HTTP_TRANSFER_ENCODING" in self.request.META and "CONTENT_LENGTH" not in self.request.META:
            raise Problem("malformed_json", message("Send the Content-Length of the body."))
        if not data and self.request.META.get("CONTENT_LENGTH") in {None, "", "0"}:
            if serializer_class.requires_body():
                raise Problem("malformed_json", message("The body is empty."))
            data = {}
        return validate_body(serializer_class, data)

    def finalize_response(
        self,
        request: Request,
        response: Any,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        """Add the operation's headers, `Vary` and `Cache-Control`: no cache may serve another caller."""
        vary = self.headers.pop("Vary")
        final = super().finalize_response(request, response, *args, **kwargs)
        operation = self._operation(request)
        if operation is not None:
            self._add_headers(request, final, operation)
        if "Vary" in final.headers:
            patch_vary_headers(final, vary.split(", "))
        else:
            final.headers["Vary"] = vary
        final.headers.setdefault("Cache-Control", "private, no-cache")
        if final.headers["Cache-Control"].startswith("public"):
            # A cache would repeat the state of this caller to others.
            for name in ("RateLimit", "RateLimit-Policy"):
                final.headers.pop(name, None)
        return final

    def _add_headers(self, request: Request, response: Response, operation: Operation) -> None:
        """Add the headers that the operation declares, to new and to repeated responses."""
        if request.method == "GET":
            self._add_page_links(response, operation)
        elif operation.location and response.status_code in _WITH_LOCATION:
            response.headers["Location"] = operation.location.format_map(self.kwargs | response.data)
        if operation.deprecation is not None:
            for name, value in operation.deprecation.headers().items():
                response.headers[name] = value

    def _add_page_links(self, response: Response, operation: Operation) -> None:
        """Add the `Link` header to a page of a list: the URLs of the next and the previous page."""
        data: object = getattr(response, "data", None)
        if operation.page is None or not isinstance(data, dict):
            return
        relations = {"next": "next", "previous": "prev"}
        urls = [f'<{data[name]}>; rel="{relations[name]}"' for name in relations if data.get(name)]
        if urls:
            response.headers["Link"] = ", ".join(urls)


class MatchActionView(ApiView):
    """An action on a match, for players."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": PLAY}
    player_limits: ClassVar[dict[str, str]] = {"POST": "actions"}


def secret_response(body: Mapping[str, object]) -> Response:
    """Return 201 with a secret, which no cache may store."""
    return Response(body, status=CREATED, headers={"Cache-Control": "no-store"})


def signed_in_response(new: NewToken) -> Response:
    """Return 201 with a new token and its player."""
    return secret_response({"token": new.secret, "player": render_player(new.token.user)})


def no_content() -> Response:
    """Return 204."""
    return Response(status=NO_CONTENT)
