"""Which address leads where."""

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views import defaults

from games.api.problems import nothing_here, server_error
from games.api.slashes import PREFIX

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", include("games.api.urls")),
    re_path(r"^api(?:/.*)?$", nothing_here),
]


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say it in JSON where JSON is spoken."""
    if request.path.startswith(PREFIX):
        return nothing_here(request)
    return defaults.page_not_found(request, exception)


def handler500(request: HttpRequest) -> HttpResponse:
    """The same for a fault of ours."""
    if request.path.startswith(PREFIX):
        return server_error(request)
    return defaults.server_error(request)
