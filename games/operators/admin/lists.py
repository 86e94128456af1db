"""Admin lists of webhooks, deliveries and the audit log."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.decorators import display

from games.notifications.models import Delivery, Webhook
from games.operators.admin.base import EventFilter, ReadOnlyAdmin
from games.operators.admin.site import site
from games.operators.models import OperatorAction
from games.operators.queries import search_webhooks


@admin.register(Delivery, site=site)
class DeliveryAdmin(ReadOnlyAdmin):
    """Each event for each endpoint, the latest first."""

    list_display = ("public_id", "shown_status", "shown_owner", "type", "tried", "created_at", "due_at")
    list_display_links = None
    list_filter: ClassVar = ["status", EventFilter]
    list_select_related = ("webhook__player",)

    @display(description="status", label={"delivered": "success", "failed": "danger", "pending": "info"})
    def shown_status(self, delivery: Delivery) -> str:
        """What has become of it, in colour."""
        return delivery.status

    @display(description="endpoint")
    def shown_owner(self, delivery: Delivery) -> str:
        """Whose endpoint it is for; its address may hold something that is nobody's business."""
        return f"{delivery.webhook.public_id} of {delivery.webhook.player.username}"


@admin.register(Webhook, site=site)
class WebhookAdmin(ReadOnlyAdmin):
    """Endpoints, without their secrets and addresses."""

    list_display = (
        "public_id",
        "player",
        "active",
        "stopped_because",
        "failures",
        "failing_since",
        "created_at",
    )
    list_display_links = None
    list_filter: ClassVar = ["active", "stopped_because"]
    list_select_related = ("player",)
    search_fields = ("public_id",)
    search_help_text = "An endpoint's id, or a player's name"

    def get_search_results(
        self,
        request: HttpRequest,  # noqa: ARG002 -- as Django calls it
        queryset: QuerySet[Any],
        search_term: str,
    ) -> tuple[QuerySet[Any], bool]:
        """By id or by player, on indexes."""
        return search_webhooks(queryset, search_term), False


@admin.register(OperatorAction, site=site)
class OperatorActionAdmin(ReadOnlyAdmin):
    """Every deed with its reason."""

    list_display = ("at", "operator", "deed", "match", "player", "reason")
    list_display_links = None
    list_filter: ClassVar = ["deed"]
    list_select_related = ("operator", "match", "player")
