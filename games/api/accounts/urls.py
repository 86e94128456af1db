"""The routes of accounts."""

from django.urls import URLPattern

from games.api import converters


def account_routes() -> list[URLPattern]:
    """List them, without slashes at the end: the middleware takes those away."""
    converters.register()
    return []
