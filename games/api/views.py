"""The base class of all API views, and common responses."""

from functools import cache
from typing import Any, ClassVar

from django.core.exceptions import ImproperlyConfigured
from django.utils.cache import patch_vary_headers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.auth import AccessRule
from games.api.content import MAX_BODY
from games.api.schema.operations import Operation
from games.api.serializers import RequestSerializer, validate_body
from games.core.errors import Problem
from games.identity.queries import render_player
from games.identity.services import NewToken

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class ApiView(APIView):
    """A view with its access, and with its shapes read strictly."""

    access: ClassVar[dict[str, AccessRule]] = {}
    # What clients are told of each method; `manage.py check` finds a route without (CONTRIBUTING.md).
    operations: ClassVar[dict[str, Operation]] = {}
    largest_body: ClassVar[int] = MAX_BODY
    # Further limits beside that of the player or address, by their names in HAGGIS_LIMITS: {"POST": "mails"}.
    limits: ClassVar[dict[str, str]] = {}

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Refuse a view that forgets to say who may use a method."""
        undeclared = {name for name in METHODS if hasattr(cls, name.lower())} ^ cls.access.keys()
        if undeclared:
            raise ImproperlyConfigured(f"{cls.__name__}.access and its methods differ: {sorted(undeclared)}.")
        return super().as_view(**initkwargs)

    @property
    def allowed_methods(self) -> list[str]:
        """What the view takes; OPTIONS is answered only where browsers ask with it."""
        return list(self._methods())

    @classmethod
    @cache
    def _methods(cls) -> tuple[str, ...]:
        methods = tuple(name for name in METHODS if hasattr(cls, name.lower()))
        return (*methods, "HEAD") if "GET" in methods else methods

    @property
    def default_response_headers(self) -> dict[str, str]:
        """What every answer says: for whom it is, and in what form, depends on the asker."""
        return {"Allow": ", ".join(self._methods()), "Vary": "Authorization, Accept"}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Know the asker, count the request, and only then look at what the token may do."""
        self.format_kwarg = None
        request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)
        request.version, request.versioning_scheme = None, None
        self.check_throttles(request)
        self.check_permissions(request)

    def read(self, shape: type[RequestSerializer]) -> dict[str, Any]:
        """The body, in this shape. No body at all is an empty object where nothing is required."""
        data = self.request.data
        if "HTTP_TRANSFER_ENCODING" in self.request.META and "CONTENT_LENGTH" not in self.request.META:
            raise Problem("malformed_json", "A body comes with its Content-Length.")
        if not data and self.request.META.get("CONTENT_LENGTH") in {None, "", "0"}:
            if shape.needs_a_body():
                raise Problem("malformed_json", "The body is empty.")
            data = {}
        values: dict[str, Any] = validate_body(shape, data)
        return values

    def finalize_response(
        self,
        request: Request,
        response: Any,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        """Let nobody keep for one what was answered to another."""
        vary = self.headers.pop("Vary")
        final = super().finalize_response(request, response, *args, **kwargs)
        if "Vary" in final.headers:
            patch_vary_headers(final, vary.split(", "))
        else:
            final.headers["Vary"] = vary
        final.headers.setdefault("Cache-Control", "private, no-cache")
        return final


CREATED = 201
NO_CONTENT = 204


def secret_response(body: dict[str, Any]) -> Response:
    """201 with a secret in it, which no cache may store."""
    return Response(body, status=CREATED, headers={"Cache-Control": "no-store"})


def signed_in_response(new: NewToken) -> Response:
    """Somebody has an account and a token for it."""
    return secret_response({"token": new.secret, "player": render_player(new.token.user)})


def no_content() -> Response:
    """It is done, and there is nothing to say about it."""
    return Response(status=NO_CONTENT)
