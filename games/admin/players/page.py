"""The page of one player, and the pages of what may be done about them."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from games.admin.players.deeds import DEEDS, PlayerDeed
from games.admin.reading import operator_of, wanted_player
from games.admin.reasons import ReasonForm
from games.admin.site import site
from games.errors import Problem
from games.models import Match, OperatorAction, Player


@permission_required("games.view_player", raise_exception=True)
def player_page(request: HttpRequest, player_id: int) -> HttpResponse:
    """Look at a player."""
    player = wanted_player(player_id)
    return render(request, "operators/player.html", {**_shown(request, player)})


def _shown(request: HttpRequest, player: Player) -> dict[str, Any]:
    operator = operator_of(request)
    matches = Match.objects.filter(seats__player=player).order_by("-seats__match_id")
    return {
        **site.each_context(request),
        "title": player.username,
        "player": player,
        "banned": not player.is_active and player.deleted_at is None,
        "role": player.groups.values_list("name", flat=True).first(),
        "bots": player.bots.order_by("username")[:20],
        "matches": matches[:20],
        "deeds": [deed for deed in DEEDS.values() if deed.is_for(player, operator)],
        "done": OperatorAction.objects.filter(player=player).select_related("operator").order_by("-pk")[:50],
    }


def act_on_player(request: HttpRequest, player_id: int, deed: str) -> HttpResponse:
    """Ask for the reason, then do it; a deed that is not for this operator or this player is not there."""
    player = wanted_player(player_id)
    wanted = DEEDS.get(deed)
    if wanted is None or not wanted.is_for(player, operator_of(request)):
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


def _done(request: HttpRequest, player: Player, deed: PlayerDeed, form: ReasonForm) -> bool:
    try:
        deed.act(operator=operator_of(request), player=player, **form.cleaned_data)
    except Problem as refused:
        form.add_error(None, refused.detail)
        return False
    return True
