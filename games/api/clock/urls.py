"""The routes of the clock."""

from django.urls import URLPattern, path

from games.api import converters
from games.api.clock import views


def clock_routes() -> list[URLPattern]:
    """List them, without slashes at the end: the middleware takes those away."""
    converters.register()
    return [
        path("clocks", views.ClocksView.as_view(), name="clocks"),
        path("matches/<id:match_id>/pause", views.PauseView.as_view(), name="pause"),
        path("matches/<id:match_id>/resume", views.ResumeView.as_view(), name="resume"),
        path("me/vacation", views.VacationView.as_view(), name="vacation"),
    ]
