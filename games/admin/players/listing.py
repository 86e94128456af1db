"""The list of players."""

from typing import ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, path
from unfold.decorators import display

from games.admin.looking import LookedAt
from games.admin.players.page import act_on_player, player_page
from games.admin.site import site
from games.models import Player
from games.selectors.oversight import players_found


@admin.register(Player, site=site)
class PlayerAdmin(LookedAt):
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
        return players_found(queryset, search_term), False

    def get_urls(self) -> list[URLPattern]:
        """The page of a player is ours; beside it are the pages of the deeds."""
        wrap = self.admin_site.admin_view
        return [
            path("<int:player_id>/change/", wrap(player_page), name="games_player_change"),
            path("<int:player_id>/<slug:deed>/", wrap(act_on_player), name="games_player_deed"),
            *(each for each in super().get_urls() if each.name == "games_player_changelist"),
        ]
