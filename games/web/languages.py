"""The language of a page: chosen with the language switch, or else by the browser."""

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme

from games.core.languages import language_names, negotiated_language, speaking

PARAMETER = "language"

View = Callable[..., HttpResponse]


def localized(view: View) -> View:
    """Decorate a view that renders a page, so that it does so in the language of the visitor.

    With the parameter `language`, which the language switch sends, the page is not rendered: the choice is
    stored in a cookie, or deleted if it is empty, and the browser is redirected to the page without it.
    """

    @wraps(view)
    def render_localized(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        choice = request.GET.get(PARAMETER)
        if request.method == "GET" and (choice == "" or choice in language_names()):
            return _store_choice(request, choice)
        language = page_language(request)
        with speaking(language):
            response = view(request, *args, **kwargs)
        response.headers["Content-Language"] = language
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response

    return render_localized


def page_language(request: HttpRequest) -> str:
    """Return the language that the visitor has chosen, or the one that the browser prefers."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    if chosen in language_names():
        return chosen
    return negotiated_language(request.META.get("HTTP_ACCEPT_LANGUAGE", ""))


def _store_choice(request: HttpRequest, language: str) -> HttpResponse:
    parameters = request.GET.copy()
    del parameters[PARAMETER]
    target = f"{request.path}?{parameters.urlencode()}" if parameters else request.path
    # A path that begins with two slashes would be another host.
    is_safe = url_has_allowed_host_and_scheme(target, allowed_hosts=None)
    response = HttpResponseRedirect(target if is_safe else "/")
    response.headers["Cache-Control"] = "no-store"
    if language:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=request.is_secure(),
            httponly=True,
            samesite="Lax",
        )
    else:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")
    return response
