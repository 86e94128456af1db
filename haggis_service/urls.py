"""The root URLconf."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views import defaults

from games import admin
from games.api.middleware import PREFIX
from games.api.problems import bad_request, not_found, server_error
from games.api.schema.views import docs_page
from games.web.languages import localized

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", include("games.urls")),
    path("api/docs", docs_page, name="contract"),
    re_path(r"^api(?:/.*)?$", not_found),
    path(settings.HAGGIS_ADMIN_PATH, admin.urls),
    path("", include("games.web.urls")),
]


def handler400(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return a problem document for API requests, a page otherwise."""
    if request.path.startswith(PREFIX):
        return bad_request(request)
    return defaults.bad_request(request, exception)


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return a problem document for API requests, a page otherwise."""
    if request.path.startswith(PREFIX):
        return not_found(request)
    return localized(defaults.page_not_found)(request, exception)


def handler500(request: HttpRequest) -> HttpResponse:
    """Return a problem document for API requests, a page otherwise."""
    if request.path.startswith(PREFIX):
        return server_error(request)
    return defaults.server_error(request)
