"""The routes of streams."""

from django.urls import URLPattern, path

from games.api import converters
from games.api.events.match_events import MatchEventsView
from games.api.events.my_events import MyEventsView


def event_routes() -> list[URLPattern]:
    """List them, without slashes at the end: the middleware takes those away."""
    converters.register()
    return [
        path("matches/<id:match_id>/events", MatchEventsView.as_view(), name="match-events"),
        path("me/events", MyEventsView.as_view(), name="my-events"),
    ]
