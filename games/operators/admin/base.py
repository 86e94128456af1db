"""Base classes, filters, forms and actions of the admin."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from unfold.admin import ModelAdmin
from unfold.paginator import InfinitePaginator
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from games.core.errors import Problem
from games.gateway.agreement import rule_titles
from games.identity.models import MAX_NOTICE_LENGTH, MAX_USERNAME_LENGTH, Player
from games.matches.models.log import SUBSCRIBABLE_TYPES
from games.matches.store import MatchRow, find_match
from games.operators.models import MAX_REASON_LENGTH, OperatorActionType


class ReadOnlyAdmin(ModelAdmin):
    """A read-only list, newest first. Rows are not counted, so that large tables stay fast."""

    ordering = ("-id",)
    list_per_page = 50
    paginator = InfinitePaginator
    show_full_result_count = False
    list_filter_submit = True
    # Sorting by any other column would read the whole table.
    sortable_by = ()

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 -- as Django calls it
        """Return False: objects are not added in the admin."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ANN401, ARG002 -- as above
        """Return False: objects are changed only by actions."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ANN401, ARG002 -- as above
        """Return False: objects are not deleted in the admin."""
        return False


class SearchableAdmin(ReadOnlyAdmin):
    """A read-only list with a search of its own, which uses indexes."""

    @staticmethod
    def search(rows: QuerySet[Any], term: str, /) -> QuerySet[Any]:
        """Filter the rows by what was entered."""
        raise NotImplementedError

    def get_search_results(
        self,
        request: HttpRequest,  # noqa: ARG002 -- as Django calls it
        queryset: QuerySet[Any],
        search_term: str,
    ) -> tuple[QuerySet[Any], bool]:
        """Search with the function of the class."""
        return self.search(queryset, search_term), False


Choices = Callable[[], Iterable[tuple[str, str]]]


class FixedChoicesFilter(admin.SimpleListFilter):
    """Filters a column by a fixed set of values, without a query for the values that occur."""

    get_choices: ClassVar[Choices]

    def lookups(self, _request: HttpRequest, _model_admin: Any) -> Iterable[tuple[str, str]]:  # noqa: ANN401 -- as Django calls it
        """Return the choices."""
        return type(self).get_choices()

    def queryset(self, _request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Filter by the chosen value; ignore unknown values."""
        values = {value for value, _ in self.lookup_choices}
        return (
            queryset.filter(**{self.parameter_name or "": self.value()})
            if self.value() in values
            else queryset
        )


class RuleSetFilter(FixedChoicesFilter):
    """Filters by rule set."""

    title = "rule set"
    parameter_name = "ruleset"
    get_choices = staticmethod(rule_titles)


class PlayersFilter(FixedChoicesFilter):
    """Filters by the number of seats."""

    title = "players"
    parameter_name = "players"
    get_choices = staticmethod(lambda: [("2", "two"), ("3", "three")])


class EventFilter(FixedChoicesFilter):
    """Filters by event type."""

    title = "type"
    parameter_name = "type"
    get_choices = staticmethod(
        lambda: [(each, each.replace("_", " ")) for each in (*SUBSCRIBABLE_TYPES, "test")]
    )


class ActionFilter(FixedChoicesFilter):
    """Filters by operator action."""

    title = "action"
    parameter_name = "action"
    get_choices = staticmethod(lambda: OperatorActionType.choices)


def require_operator(request: HttpRequest) -> Player:
    """Return the logged-in player, or raise 404."""
    if not isinstance(request.user, Player):
        raise Http404
    return request.user


def get_match_or_404(match_id: str) -> MatchRow:
    """Return the match, or raise 404. Admin lists quote ids in links (`_` as `_5F`)."""
    row = find_match(unquote(match_id))
    if row is None:
        raise Http404
    return row


def get_player_or_404(player_id: int) -> Player:
    """Return the player, or raise 404."""
    player = Player.objects.select_related("owner").filter(pk=player_id).first()
    if player is None:
        raise Http404
    return player


class ReasonForm(forms.Form):
    """A form for the reason of an action."""

    reason = forms.CharField(
        max_length=MAX_REASON_LENGTH,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Recorded in the audit log. Players do not see it.",
    )


class MessageForm(ReasonForm):
    """A form for the reason of an action and a message to the player."""

    message = forms.CharField(
        max_length=MAX_NOTICE_LENGTH,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="The player sees it until they acknowledge it. It is mailed to a confirmed address.",
    )


class RenameForm(MessageForm):
    """A form that also asks for the new name."""

    username = forms.CharField(
        max_length=MAX_USERNAME_LENGTH,
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text="The new username. Leave it empty for a neutral one. The display name is removed.",
    )


class SuspendForm(MessageForm):
    """A form that also asks for the length of a suspension."""

    days = forms.IntegerField(
        min_value=1, max_value=366, initial=7, widget=UnfoldAdminIntegerFieldWidget, help_text="From now on."
    )


class ConfirmForm(forms.Form):
    """A form without fields, for actions that need no reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminAction:
    """An action on a match or player. `final` actions cannot be undone."""

    key: str
    label: str
    description: str
    function: Callable[..., object]
    final: bool = False


def perform_action(request: HttpRequest, action: AdminAction, form: forms.Form, **subject: object) -> bool:
    """Perform an action if its form is valid and return whether it succeeded; add problems to the form."""
    if not form.is_valid():
        return False
    try:
        action.function(operator=require_operator(request), **subject, **form.cleaned_data)
    except Problem as problem:
        form.add_error(None, problem.detail)
        return False
    messages.success(request, f"{action.label}: done.")
    return True
