"""Collect the HTTP contract and the URL patterns from the running service."""

from collections.abc import Iterator
from typing import Any, Final

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

_PROSE: Final = frozenset({"description", "summary", "title", "example", "examples", "externalDocs"})
# The keys below these are published names: a property may be called `title`.
_NAMESPACES: Final = frozenset(
    {"properties", "schemas", "headers", "parameters", "securitySchemes", "paths", "webhooks", "responses"}
)


def document(path: str) -> Any:
    """Fetch an OpenAPI document over HTTP and strip its prose."""
    response = Client().get(path)
    assert response.status_code == 200, response.content
    return without_prose(response.json())


def without_prose(value: Any) -> Any:
    """Remove descriptions, summaries, titles and examples.

    >>> without_prose({"title": "A card", "properties": {"title": {"type": "string", "example": "7r"}}})
    {'properties': {'title': {'type': 'string'}}}
    """
    if isinstance(value, list):
        return [without_prose(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: {name: without_prose(each) for name, each in below.items()}
        if key in _NAMESPACES and isinstance(below, dict)
        else without_prose(below)
        for key, below in value.items()
        if key not in _PROSE
    }


def routes() -> dict[str, list[str]]:
    """Return all URL patterns with their names."""
    found: dict[str, list[str]] = {}
    for pattern, name in _walk(get_resolver(), "", ""):
        found.setdefault(pattern, []).append(name)
    return {pattern: sorted(names) for pattern, names in found.items()}


def _walk(resolver: URLResolver, prefix: str, namespace: str) -> Iterator[tuple[str, str]]:
    for each in resolver.url_patterns:
        pattern = f"{prefix}{each.pattern}"
        if isinstance(each, URLPattern):
            yield pattern, f"{namespace}{each.name or ''}"
        else:
            yield from _walk(each, pattern, f"{namespace}{each.namespace}:" if each.namespace else namespace)
