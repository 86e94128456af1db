"""Minimal views for testing what all endpoints share."""

from dataclasses import replace
from datetime import date
from typing import Any, ClassVar

from django.urls import path, re_path
from rest_framework.request import Request
from rest_framework.response import Response

from games.accounts.operations import DELETE_ME, READ_ME
from games.api.auth import ANYONE, PLAY, SIGNED_IN, AccessRule, require_player
from games.api.conditional import conditional_response
from games.api.idempotency import idempotent
from games.api.problems import not_found
from games.api.schema.deprecation import Deprecation
from games.api.schema.operations import Operation
from games.api.serializers import (
    DateTimeField,
    IntegerField,
    RequestSerializer,
    StrictBooleanField,
    StrictChoiceField,
    StringField,
)
from games.api.views import ApiView
from games.core.errors import Problem
from games.identity.models import Scope


class Inner(RequestSerializer[Any]):
    """A nested object."""

    top = IntegerField(min_value=1, max_value=13)


class Everything(RequestSerializer[Any]):
    """A member of every type."""

    number = IntegerField(min_value=0, max_value=100)
    text = StringField(max_length=5, required=False)
    flag = StrictBooleanField(required=False)
    level = StrictChoiceField(choices=["easy", "hard"], required=False)
    at = DateTimeField(required=False)
    inner = Inner(required=False, allow_null=True)
    list = Inner(many=True, required=False)


class Echo(ApiView):
    """Returns the validated body."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE, "POST": ANYONE}

    def get(self, request: Request) -> Response:
        return conditional_response(
            request, "part", build=lambda: Response({"you": request.user.is_authenticated})
        )

    @idempotent
    def post(self, request: Request) -> Response:
        return Response(self.validated_body(Everything), status=201)


class Count(ApiView):
    """Counts its requests in the database."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": SIGNED_IN, "POST": PLAY, "DELETE": Scope.ACCOUNT_WRITE}

    def get(self, request: Request) -> Response:
        return Response({"acted": require_player(request).last_name})

    @idempotent
    def post(self, request: Request) -> Response:
        player = require_player(request)
        if isinstance(request.data, dict) and request.data.get("refuse"):
            raise Problem("match_full")
        player.refresh_from_db()
        player.last_name = str(int(player.last_name or 0) + 1)
        player.save(update_fields=["last_name"])
        return Response({"z": 1, "acted": player.last_name}, status=201, headers={"Location": "/there"})

    def delete(self, request: Request) -> Response:
        return Response(status=204)


class Old(ApiView):
    """Has a deprecated method and one that is not."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": SIGNED_IN, "DELETE": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {
        "GET": replace(READ_ME, deprecation=Deprecation(date(2026, 11, 20), date(2027, 5, 20))),
        "DELETE": DELETE_ME,
    }

    def get(self, request: Request) -> Response:
        return Response({"you": request.user.is_authenticated})

    def delete(self, request: Request) -> Response:
        return Response(status=204)


class Broken(ApiView):
    """Raises an unexpected exception."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}

    def get(self, request: Request) -> Response:
        raise ZeroDivisionError(request.path)


def raising(error: Exception) -> Any:
    """Return a view that raises an exception."""

    class Raising(ApiView):
        access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}

        def get(self, request: Request) -> Response:
            raise error

    return Raising.as_view()


urlpatterns = [
    path("api/v1/echo", Echo.as_view()),
    path("api/v1/count", Count.as_view()),
    path("api/v1/old", Old.as_view()),
    path("api/v1/broken", Broken.as_view()),
    re_path(r"^api(?:/.*)?$", not_found),
]
handler400 = "haggis_service.urls.handler400"
handler404 = "haggis_service.urls.handler404"
handler500 = "haggis_service.urls.handler500"
