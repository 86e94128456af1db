"""Read-only admin classes, filters and forms."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from unfold.admin import ModelAdmin
from unfold.paginator import InfinitePaginator
from unfold.widgets import UnfoldAdminTextareaWidget

from games.gateway.agreement import rule_titles
from games.identity.models import Player
from games.matches.models.log import SUBSCRIBABLE_TYPES
from games.matches.store import MatchRow, find_match
from games.operators.models import MAX_REASON_LENGTH


class ReadOnlyAdmin(ModelAdmin):
    """The latest first, a page at a time. Nothing is counted, so that it is as quick with a million rows."""

    ordering = ("-id",)
    list_per_page = 50
    paginator = InfinitePaginator
    show_full_result_count = False
    list_filter_submit = True
    # Sorting by anything else would read every row.
    sortable_by = ()

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 -- as Django calls it
        """Nothing is added by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ANN401, ARG002 -- as above
        """Nothing is changed by a form."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ANN401, ARG002 -- as above
        """Nothing is deleted."""
        return False


Choices = Callable[[], Iterable[tuple[str, str]]]


class FixedChoicesFilter(admin.SimpleListFilter):
    """One column, by the values that it may have."""

    choices_there: ClassVar[Choices]

    def lookups(self, _request: HttpRequest, _model_admin: Any) -> Iterable[tuple[str, str]]:  # noqa: ANN401 -- as Django calls it
        """Give what may be chosen."""
        return type(self).choices_there()

    def queryset(self, _request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Give the rows that have what was chosen; what is none of it chooses nothing."""
        known = {value for value, _ in self.lookup_choices}
        return (
            queryset.filter(**{self.parameter_name or "": self.value()})
            if self.value() in known
            else queryset
        )


class RuleSetFilter(FixedChoicesFilter):
    """By rule set."""

    title = "rule set"
    parameter_name = "ruleset"
    choices_there = staticmethod(rule_titles)


class PlayersFilter(FixedChoicesFilter):
    """By the number of seats."""

    title = "players"
    parameter_name = "players"
    choices_there = staticmethod(lambda: [("2", "two"), ("3", "three")])


class EventFilter(FixedChoicesFilter):
    """By what a delivery tells of."""

    title = "type"
    parameter_name = "type"
    choices_there = staticmethod(
        lambda: [(each, each.replace("_", " ")) for each in (*SUBSCRIBABLE_TYPES, "test")]
    )


def require_operator(request: HttpRequest) -> Player:
    """Who is logged in: the pages of the admin are for nobody else."""
    if not isinstance(request.user, Player):
        raise Http404
    return request.user


def get_match_or_404(match_id: str) -> MatchRow:
    """The match, or nothing to be found. The lists write ids in their own way (`_` as `_5F`)."""
    row = find_match(unquote(match_id))
    if row is None:
        raise Http404
    return row


def get_player_or_404(player_id: int) -> Player:
    """The player, or nothing to be found."""
    player = Player.objects.select_related("owner").filter(pk=player_id).first()
    if player is None:
        raise Http404
    return player


class ReasonForm(forms.Form):
    """Why."""

    reason = forms.CharField(
        max_length=MAX_REASON_LENGTH,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Kept with the deed. Players do not see it.",
    )
