"""What operators did: the list, newest first, for all of them to see and for none to change."""

from typing import ClassVar

from django.contrib import admin

from games.admin.looking import LookedAt
from games.admin.site import site
from games.models import OperatorAction


@admin.register(OperatorAction, site=site)
class OperatorActionAdmin(LookedAt):
    """Every deed with its reason."""

    list_display = ("at", "operator", "deed", "match", "player", "reason")
    list_display_links = None
    list_filter: ClassVar = ["deed"]
    list_select_related = ("operator", "match", "player")
