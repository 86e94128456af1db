"""The audit log in the admin."""

from typing import ClassVar

from django.contrib import admin
from unfold.decorators import display

from games.operators.admin.base import ActionFilter, ReadOnlyAdmin
from games.operators.admin.site import site
from games.operators.models import OperatorAction


@admin.register(OperatorAction, site=site)
class OperatorActionAdmin(ReadOnlyAdmin):
    """The audit log."""

    list_display = ("at", "operator", "action_label", "match", "player", "reason")
    list_display_links = None
    list_filter: ClassVar = [ActionFilter]
    list_select_related = ("operator", "match", "player")

    @display(description="action", ordering="action")
    def action_label(self, record: OperatorAction) -> str:
        """Return the name of the action."""
        return record.get_action_display()
