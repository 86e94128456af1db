"""The routes of the contract."""

from django.urls import URLPattern, path

from games.api.schema.views import OlderSchemaView, SchemaView


def contract_routes() -> list[URLPattern]:
    """List them, without slashes at the end: the middleware takes those away."""
    return [
        path("schema", SchemaView.as_view(), name="schema"),
        path("schema/3.0", OlderSchemaView.as_view(), name="older-schema"),
    ]
