"""Filters whose choices are known: Django's own would look for them in every row that is stored."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from games.gateway.rule_pages import rule_titles
from games.models.webhook import SELECTABLE

Choices = Callable[[], Iterable[tuple[str, str]]]


class KnownValues(admin.SimpleListFilter):
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


class RuleSetFilter(KnownValues):
    """By rule set."""

    title = "rule set"
    parameter_name = "ruleset"
    choices_there = staticmethod(rule_titles)


class PlayersFilter(KnownValues):
    """By the number of seats."""

    title = "players"
    parameter_name = "players"
    choices_there = staticmethod(lambda: [("2", "two"), ("3", "three")])


class EventFilter(KnownValues):
    """By what a delivery tells of."""

    title = "type"
    parameter_name = "type"
    choices_there = staticmethod(lambda: [(each, each.replace("_", " ")) for each in (*SELECTABLE, "test")])
