"""Admin lists of webhooks, deliveries and the audit log."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.decorators import display

from games.notifications.models import Delivery, Webhook
from games.operators.admin.base import ActionFilter, EventFilter, ReadOnlyAdmin
from games.operators.admin.site import site
from games.operators.models import OperatorAction
from games.operators.queries import search_webhooks


@admin.register(Delivery, site=site)
class DeliveryAdmin(ReadOnlyAdmin):
    """The list of webhook deliveries."""

    list_display = ("public_id", "status_label", "endpoint_label", "type", "tried", "created_at", "due_at")
    list_display_links = None
    list_filter: ClassVar = ["status", EventFilter]
    list_select_related = ("webhook__player",)

    @display(description="status", label={"delivered": "success", "failed": "danger", "pending": "info"})
    def status_label(self, delivery: Delivery) -> str:
        """Return the status, shown as a coloured label."""
        return delivery.status

    @display(description="endpoint")
    def endpoint_label(self, delivery: Delivery) -> str:
        """Return the endpoint and its player, without the URL, which may contain secrets."""
        return f"{delivery.webhook.public_id} of {delivery.webhook.player.username}"


@admin.register(Webhook, site=site)
class WebhookAdmin(ReadOnlyAdmin):
    """The list of webhook endpoints, without secrets and URLs."""

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
    search_help_text = "ID of an endpoint or name of a player"

    def get_search_results(
        self,
        request: HttpRequest,  # noqa: ARG002 -- as Django calls it
        queryset: QuerySet[Any],
        search_term: str,
    ) -> tuple[QuerySet[Any], bool]:
        """Search by id or player, using indexes."""
        return search_webhooks(queryset, search_term), False


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
