"""Serve the OpenAPI document and its documentation page."""

import hashlib
import json
from functools import cache
from typing import ClassVar

from csp.middleware import CSPMiddleware
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.utils.decorators import decorator_from_middleware
from django.utils.html import format_html
from django.views.decorators.http import require_safe
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, AccessRule
from games.api.conditional import conditional_response
from games.api.schema import document
from games.api.schema.document import JSON
from games.api.schema.fields import ResponseSerializer
from games.api.schema.operations import CONTRACT, OK, TITLE, Operation
from games.api.serializers import StringField
from games.api.views import ApiView


class DocumentSerializer(ResponseSerializer):
    """An OpenAPI document."""

    openapi = StringField(help_text="The version of OpenAPI.")
    info = serializers.DictField(help_text="Title, version, description, contact and licence of the API.")
    servers = serializers.ListField(child=serializers.DictField(), help_text="Where the API is served.")
    tags = serializers.ListField(child=serializers.DictField(), help_text="The groups of operations.")
    paths = serializers.DictField(help_text="Every operation, by path and method.")
    components = serializers.DictField(help_text="Schemas, headers and examples that operations refer to.")
    externalDocs = serializers.DictField(help_text="Where the guides are.")  # noqa: N815 -- OpenAPI names it so
    webhooks = serializers.DictField(required=False, help_text="The requests to webhooks; in 3.1 only.")


def _example(version: str) -> dict[str, object]:
    """Return the outline of the document."""
    guides = {"url": "https://haggis.example/docs/"}
    info = {"title": TITLE, "version": "1.0.0"}
    outline: dict[str, object] = {
        "openapi": version,
        "info": info,
        "servers": [{"url": "/"}],
        "externalDocs": guides,
    }
    return outline | {"tags": [{"name": CONTRACT.name}], "paths": {}, "components": {}}


_SWAGGER = "drf_spectacular_sidecar/swagger-ui-dist/"


@cache
def _digest(version: str) -> str:
    return hashlib.sha256(json.dumps(document.document(version)).encode()).hexdigest()


class SchemaView(ApiView):
    """Serves the OpenAPI 3.1 document."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {
        "GET": Operation(
            id="readSchema",
            summary="This document",
            description="OpenAPI 3.1, including webhooks.",
            tag=CONTRACT,
            answers={OK: DocumentSerializer},
            conditional=True,
            media_examples={JSON: lambda _: _example(document.OPENAPI_31)},
        )
    }
    version: ClassVar[str] = document.OPENAPI_31

    def get(self, request: Request) -> Response:
        """Return the document."""
        return conditional_response(
            request, _digest(self.version), build=lambda: Response(document.document(self.version))
        )


class OpenApi30View(SchemaView):
    """Serves the OpenAPI 3.0 document, for generators that do not support 3.1."""

    operations: ClassVar[dict[str, Operation]] = {
        "GET": Operation(
            id="readOlderSchema",
            summary="This document for older generators",
            description="OpenAPI 3.0, without webhooks.",
            tag=CONTRACT,
            answers={OK: DocumentSerializer},
            conditional=True,
            media_examples={JSON: lambda _: _example(document.OPENAPI_30)},
        )
    }
    version: ClassVar[str] = document.OPENAPI_30


@require_safe
@decorator_from_middleware(CSPMiddleware)  # the policy of a page instead of that of API responses
def docs_page(_: HttpRequest) -> HttpResponse:
    """Render the API documentation with Swagger UI, whose files this server hosts."""
    page = format_html(
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="{icon}"><link rel="stylesheet" href="{style}"></head>'
        '<body><main id="contract" data-schema="{schema}"></main>'
        '<script src="{bundle}"></script><script src="{start}"></script></body></html>',
        title=f"{TITLE} API",
        icon=static(f"{_SWAGGER}favicon-32x32.png"),
        style=static(f"{_SWAGGER}swagger-ui.css"),
        schema="/api/v1/schema/",
        bundle=static(f"{_SWAGGER}swagger-ui-bundle.js"),
        start=static("contract/start.js"),
    )
    return HttpResponse(page)
