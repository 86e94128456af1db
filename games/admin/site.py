"""The site of the operators: its own path and hosts, its own policy for what pages may load."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from csp.constants import SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.decorators import csp_update
from django.conf import settings
from django.http import Http404, HttpRequest
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver
from unfold.sites import UnfoldAdminSite

from games.admin.dashboard import dashboard
from games.admin.log_in import LogInForm

View = Callable[..., HttpResponseBase]

# The library's pages bring scripts and styles in their markup, and evaluate what stands in its attributes.
_ITS_OWN_POLICY: Final = {
    "script-src": [SELF, UNSAFE_INLINE, UNSAFE_EVAL],
    "style-src": [SELF, UNSAFE_INLINE],
}


class OperatorsSite(UnfoldAdminSite):
    """Where operators and moderators look after matches and players."""

    login_form = LogInForm
    index_title = "Now"
    index_template = "operators/index.html"

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """What goes on."""
        page: TemplateResponse = super().index(request, {**dashboard(), **(extra_context or {})})
        return page

    def get_urls(self) -> list[Any]:
        """Every page of the site, each kept to the site's hosts and given its policy."""
        return _all_guarded(super().get_urls())


def _all_guarded(patterns: list[Any]) -> list[Any]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            _all_guarded(pattern.url_patterns)
        elif isinstance(pattern, URLPattern):
            pattern.callback = _guarded(pattern.callback)
    return patterns


def _guarded(view: View) -> View:
    """The page, where the site is; elsewhere there is nothing."""

    @wraps(view)
    def on_its_hosts(request: HttpRequest, *args: Any, **parts: Any) -> HttpResponseBase:  # noqa: ANN401 -- any page
        name, _ = split_domain_port(request.get_host())
        if settings.HAGGIS_ADMIN_HOSTS and name not in settings.HAGGIS_ADMIN_HOSTS:
            raise Http404
        return view(request, *args, **parts)

    return csp_update(_ITS_OWN_POLICY)(on_its_hosts)


site: Final = OperatorsSite(name="admin")
