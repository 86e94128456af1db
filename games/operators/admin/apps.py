"""Admin pages of the apps of third parties."""

from typing import Final

from django.contrib import admin
from django.contrib.auth.decorators import permission_required
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from unfold.decorators import display

from games.identity.app_models import OAuthApp
from games.operators import apps
from games.operators.admin.base import (
    AdminAction,
    ReasonForm,
    SearchableAdmin,
    perform_action,
    require_operator,
)
from games.operators.admin.site import site
from games.operators.models import OperatorAction
from games.operators.search import search_apps

LATEST: Final = 50
_ACTIONS: Final = {
    "stop": AdminAction(
        key="stop",
        label="Stop",
        description="Ends its tokens and webhooks at once. It cannot ask players again.",
        function=apps.stop_app,
    ),
    "enable": AdminAction(
        key="enable",
        label="Enable",
        description="Lets the app ask players again. What they had authorized does not come back.",
        function=apps.enable_app,
    ),
}


@admin.register(OAuthApp, site=site)
class AppAdmin(SearchableAdmin):
    """The list of apps."""

    list_display = ("client_id", "name", "owner", "players", "created_at", "stopped_at")
    list_select_related = ("owner",)
    search_fields = ("client_id",)
    search_help_text = "Client id or name of an app, or name of a player"
    search = staticmethod(search_apps)

    def get_queryset(self, request: HttpRequest) -> "QuerySet[OAuthApp]":
        """Count the players who have authorized each app."""
        rows: QuerySet[OAuthApp] = super().get_queryset(request)
        return rows.annotate(authorized=Count("authorizations"))

    @display(description="players")
    def players(self, app: OAuthApp) -> int:
        """Return how many players have authorized the app."""
        return int(getattr(app, "authorized", 0))

    def get_urls(self) -> list[URLPattern]:
        """Replace the change page by our own and add the pages of the actions."""
        wrap = self.admin_site.admin_view
        lists = [each for each in super().get_urls() if each.name == "games_oauthapp_changelist"]
        return [
            path("<int:pk>/change/", wrap(app_page), name="games_oauthapp_change"),
            path("<int:pk>/<slug:action_key>/", wrap(act_on_app), name="games_oauthapp_action"),
            *lists,
        ]


def _get_or_404(pk: int) -> OAuthApp:
    app = OAuthApp.objects.select_related("owner").filter(pk=pk).first()
    if app is None:
        raise Http404
    return app


def _action_of(app: OAuthApp, request: HttpRequest) -> AdminAction | None:
    """Return the action that the operator may take now."""
    if not require_operator(request).has_perm("games.moderate_players"):
        return None
    return _ACTIONS["stop" if app.stopped_at is None else "enable"]


@permission_required("games.view_oauthapp", raise_exception=True)
def app_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an app and what operators have done about it."""
    app = _get_or_404(pk)
    action = _action_of(app, request)
    entries = OperatorAction.objects.filter(player=app.owner, details__app=app.client_id)
    context = {
        **site.each_context(request),
        "title": f"App {app.name}",
        "app": app,
        "players": app.authorizations.count(),
        "actions": [] if action is None else [action],
        "audit_log": entries.select_related("operator").order_by("-pk")[:LATEST],
    }
    return render(request, "operators/app.html", context)


def act_on_app(request: HttpRequest, pk: int, action_key: str) -> HttpResponse:
    """Show the form of an action on an app and perform it."""
    app = _get_or_404(pk)
    action = _action_of(app, request)
    if action is None or action.key != action_key:
        raise Http404
    form = ReasonForm(request.POST or None)
    if perform_action(request, action, form, client_id=app.client_id):
        return redirect("admin:games_oauthapp_change", pk)
    context = {
        **site.each_context(request),
        "title": f"{action.label}: {app}",
        "action": action,
        "form": form,
    }
    return render(request, "operators/action.html", context)
