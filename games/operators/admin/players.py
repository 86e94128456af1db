"""Admin pages of players and the actions on them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from django.contrib import admin
from django.contrib.auth.decorators import permission_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from unfold.decorators import display

from games.accounts.services.addresses import accounts_at_same_addresses
from games.identity.models import Player
from games.matches.models.match import Match
from games.operators.admin.base import (
    AdminAction,
    MessageForm,
    ReasonForm,
    RenameForm,
    SearchableAdmin,
    SuspendForm,
    get_player_or_404,
    perform_action,
    require_operator,
)
from games.operators.admin.site import site
from games.operators.models import OperatorAction
from games.operators.moderation import (
    has_own_suspension,
    rename_player,
    suspend_player,
    unsuspend_player,
    warn_player,
)
from games.operators.search import search_players
from games.operators.services import ban_player, note_player, unban_player


@admin.register(Player, site=site)
class PlayerAdmin(SearchableAdmin):
    """The list of players. Their profiles can be changed only by themselves."""

    list_display = ("username", "kind_label", "display_name", "standing_label", "date_joined", "last_login")
    list_filter: ClassVar = ["kind", "is_active", "is_staff"]
    search_fields = ("username",)
    search_help_text = "Beginning of a name or display name, e-mail address, ID, or link to a player or match"
    search = staticmethod(search_players)

    @display(description="kind", label={"human": "info", "bot": "warning"})
    def kind_label(self, player: Player) -> str:
        """Return the kind of the account, shown as a coloured label."""
        return player.kind

    @display(description="standing", label={"banned": "danger", "suspended": "warning", "staff": "success"})
    def standing_label(self, player: Player) -> str:
        """Return whether the player is deleted, banned, suspended or staff, shown as a coloured label."""
        if player.deleted_at is not None:
            return "deleted"
        if not player.is_active:
            return "banned"
        if player.is_suspended:
            return "suspended"
        return "staff" if player.is_staff else ""

    def get_urls(self) -> list[URLPattern]:
        """Replace the change page by our own and add the pages of the actions."""
        wrap = self.admin_site.admin_view
        return [
            path("<int:player_id>/change/", wrap(player_page), name="games_player_change"),
            path("<int:player_id>/<slug:action_key>/", wrap(act_on_player), name="games_player_action"),
            *(each for each in super().get_urls() if each.name == "games_player_changelist"),
        ]


def _can_be_banned(player: Player) -> bool:
    return player.is_active and not player.is_staff and player.deleted_at is None


def _is_open(player: Player) -> bool:
    return player.is_active and player.deleted_at is None


def _is_suspended(player: Player) -> bool:
    return _is_open(player) and has_own_suspension(player)


def _is_banned(player: Player) -> bool:
    return not player.is_active and player.deleted_at is None


def _is_not_deleted(player: Player) -> bool:
    return player.deleted_at is None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerAction(AdminAction):
    """An action on a player, with its condition and its form."""

    is_applicable: Callable[[Player], bool]
    form: type[ReasonForm] = ReasonForm

    def is_allowed(self, player: Player, operator: Player) -> bool:
        """Return whether this operator may perform the action on this player now."""
        return self.is_applicable(player) and operator.has_perm("games.moderate_players")


PLAYER_ACTIONS: Final = {
    each.key: each
    for each in (
        PlayerAction(
            key="note",
            label="Write a note",
            description="Adds a note to the audit log. Only operators and moderators can read it.",
            is_applicable=_is_not_deleted,
            function=note_player,
        ),
        PlayerAction(
            key="warn",
            label="Warn",
            description="Shows a message to the player until they acknowledge it.",
            is_applicable=_is_open,
            function=warn_player,
            form=MessageForm,
        ),
        PlayerAction(
            key="rename",
            label="Rename",
            description="Gives the player another username and removes the display name.",
            is_applicable=_is_open,
            function=rename_player,
            form=RenameForm,
        ),
        PlayerAction(
            key="suspend",
            label="Suspend",
            description=(
                "Refuses every request of the player and their bots until it ends by itself. A caretaker "
                "plays for them in matches with other people; matches against AIs are paused."
            ),
            is_applicable=_can_be_banned,
            function=suspend_player,
            form=SuspendForm,
        ),
        PlayerAction(
            key="unsuspend",
            label="Lift the suspension",
            description="Accepts requests of the player and their bots, who can take their seats back.",
            is_applicable=_is_suspended,
            function=unsuspend_player,
        ),
        PlayerAction(
            key="ban",
            label="Ban",
            description="Logs out the player and their bots, resigns their matches and blocks their login.",
            is_applicable=_can_be_banned,
            function=ban_player,
            final=True,
        ),
        PlayerAction(
            key="unban",
            label="Lift the ban",
            description="Lets the player and their bots log in again. Resigned matches stay resigned.",
            is_applicable=_is_banned,
            function=unban_player,
        ),
    )
}


@permission_required("games.view_player", raise_exception=True)
def player_page(request: HttpRequest, player_id: int) -> HttpResponse:
    """Show a player."""
    player = get_player_or_404(player_id)
    return render(request, "operators/player.html", _context(request, player))


def _context(request: HttpRequest, player: Player) -> dict[str, Any]:
    operator = require_operator(request)
    matches = Match.objects.filter(seats__player=player).order_by("-seats__match_id")
    return {
        **site.each_context(request),
        "title": player.username,
        "player": player,
        "banned": not player.is_active and player.deleted_at is None,
        "role": player.groups.values_list("name", flat=True).first(),
        "shared": accounts_at_same_addresses(player),
        "notices": player.account_notices.order_by("-pk")[:20],
        "reports": player.reports_about.select_related("reporter").order_by("-pk")[:20],
        "webhooks": player.webhooks.order_by("-pk")[:20],
        "bots": player.bots.order_by("username")[:20],
        "matches": matches[:20],
        "actions": [action for action in PLAYER_ACTIONS.values() if action.is_allowed(player, operator)],
        "audit_log": OperatorAction.objects.filter(player=player)
        .select_related("operator")
        .order_by("-pk")[:50],
    }


def act_on_player(request: HttpRequest, player_id: int, action_key: str) -> HttpResponse:
    """Show the form of an action and perform it; raise 404 if the action is not allowed."""
    player = get_player_or_404(player_id)
    action = PLAYER_ACTIONS.get(action_key)
    if action is None or not action.is_allowed(player, require_operator(request)):
        raise Http404
    form = action.form(request.POST or None)
    if perform_action(request, action, form, player=player):
        return redirect("admin:games_player_change", player_id)
    context = {
        **site.each_context(request),
        "title": f"{action.label}: {player.username}",
        "about": player,
        "action": action,
        "form": form,
    }
    return render(request, "operators/action.html", context)
