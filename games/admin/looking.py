"""A list of what is looked at and never edited: what is done about it are deeds, with a reason."""

from typing import Any

from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.paginator import InfinitePaginator


class LookedAt(ModelAdmin):
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
