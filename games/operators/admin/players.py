"""Admin pages of players and the actions on them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from django.contrib import admin, messages
from django.contrib.auth.decorators import permission_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from unfold.decorators import display

from games.core.errors import Problem
from games.identity.models import Player
from games.matches.models.match import Match
from games.operators.admin.base import ReadOnlyAdmin, ReasonForm, get_player_or_404, require_operator
from games.operators.admin.site import site
from games.operators.models import OperatorAction
from games.operators.queries import search_players
from games.operators.services import ban_player, note_player, unban_player


@admin.register(Player, site=site)
class PlayerAdmin(ReadOnlyAdmin):
    """Players are looked at here; what they say of themselves they change themselves."""

    list_display = ("username", "shown_kind", "display_name", "shown_standing", "date_joined", "last_login")
    list_filter: ClassVar = ["kind", "is_active", "is_staff"]
    search_fields = ("username",)
    search_help_text = "The beginning of a name, or a whole e-mail address"

    @display(description="kind", label={"human": "info", "bot": "warning"})
    def shown_kind(self, player: Player) -> str:
        """What stands behind the account."""
        return player.kind

    @display(description="standing", label={"banned": "danger", "staff": "success"})
    def shown_standing(self, player: Player) -> str:
        """Whether the player may come in."""
        if player.deleted_at is not None:
            return "deleted"
        if not player.is_active:
            return "banned"
        return "staff" if player.is_staff else ""

    def get_search_results(
        self,
        request: HttpRequest,  # noqa: ARG002 -- as Django calls it
        queryset: "QuerySet[Player]",
        search_term: str,
    ) -> tuple["QuerySet[Player]", bool]:
        """By name or by address, on indexes."""
        return search_players(queryset, search_term), False

    def get_urls(self) -> list[URLPattern]:
        """The page of a player is ours; beside it are the pages of the deeds."""
        wrap = self.admin_site.admin_view
        return [
            path("<int:player_id>/change/", wrap(player_page), name="games_player_change"),
            path("<int:player_id>/<slug:deed>/", wrap(act_on_player), name="games_player_deed"),
            *(each for each in super().get_urls() if each.name == "games_player_changelist"),
        ]


def _can_be_banned(player: Player) -> bool:
    return player.is_active and not player.is_staff and player.deleted_at is None


def _is_banned(player: Player) -> bool:
    return not player.is_active and player.deleted_at is None


def _is_not_deleted(player: Player) -> bool:
    return player.deleted_at is None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerAction:
    """One thing that may be done. `does` says to the operator what will happen."""

    key: str
    label: str
    does: str
    fits: Callable[[Player], bool]
    act: Callable[..., object]
    final: bool = False

    def is_for(self, player: Player, operator: Player) -> bool:
        """Whether this operator may do it to this player now."""
        return self.fits(player) and operator.has_perm("games.moderate_players")


PLAYER_ACTIONS: Final = {
    each.key: each
    for each in (
        PlayerAction(
            key="note",
            label="Write a note",
            does="Only operators and moderators read it.",
            fits=_is_not_deleted,
            act=note_player,
        ),
        PlayerAction(
            key="ban",
            label="Ban",
            does="The player and their bots are logged out, resign what they play, and cannot come in again.",
            fits=_can_be_banned,
            act=ban_player,
            final=True,
        ),
        PlayerAction(
            key="unban",
            label="Lift the ban",
            does="The player and their bots may come in again. What they resigned stays resigned.",
            fits=_is_banned,
            act=unban_player,
        ),
    )
}


@permission_required("games.view_player", raise_exception=True)
def player_page(request: HttpRequest, player_id: int) -> HttpResponse:
    """Look at a player."""
    player = get_player_or_404(player_id)
    return render(request, "operators/player.html", {**_shown(request, player)})


def _shown(request: HttpRequest, player: Player) -> dict[str, Any]:
    operator = require_operator(request)
    matches = Match.objects.filter(seats__player=player).order_by("-seats__match_id")
    return {
        **site.each_context(request),
        "title": player.username,
        "player": player,
        "banned": not player.is_active and player.deleted_at is None,
        "role": player.groups.values_list("name", flat=True).first(),
        "bots": player.bots.order_by("username")[:20],
        "matches": matches[:20],
        "deeds": [deed for deed in PLAYER_ACTIONS.values() if deed.is_for(player, operator)],
        "done": OperatorAction.objects.filter(player=player).select_related("operator").order_by("-pk")[:50],
    }


def act_on_player(request: HttpRequest, player_id: int, deed: str) -> HttpResponse:
    """Ask for the reason, then do it; a deed that is not for this operator or this player is not there."""
    player = get_player_or_404(player_id)
    wanted = PLAYER_ACTIONS.get(deed)
    if wanted is None or not wanted.is_for(player, require_operator(request)):
        raise Http404
    form = ReasonForm(request.POST or None)
    if form.is_valid() and _done(request, player, wanted, form):
        messages.success(request, f"{wanted.label}: done.")
        return redirect("admin:games_player_change", player_id)
    context = {
        **site.each_context(request),
        "title": f"{wanted.label}: {player.username}",
        "about": player,
        "deed": wanted,
        "form": form,
    }
    return render(request, "operators/deed.html", context)


def _done(request: HttpRequest, player: Player, deed: PlayerAction, form: ReasonForm) -> bool:
    try:
        deed.act(operator=require_operator(request), player=player, **form.cleaned_data)
    except Problem as refused:
        form.add_error(None, refused.detail)
        return False
    return True
