"""Admin pages of webhooks, their deliveries, and pending mails and push messages."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

from django.contrib import admin
from django.contrib.auth.decorators import permission_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from unfold.decorators import display

from games.identity.models import Player
from games.matches.models.log import DeliveryStatus
from games.notifications.bodies import read_body
from games.notifications.models import Delivery, Notice, StopReason, Webhook
from games.operators import deliveries
from games.operators.admin.base import (
    AdminAction,
    EventFilter,
    ReadOnlyAdmin,
    ReasonForm,
    SearchableAdmin,
    perform_action,
    require_operator,
)
from games.operators.admin.site import site
from games.operators.models import OperatorAction
from games.operators.search import search_deliveries, search_webhooks

LATEST: Final = 50


def page_and_action_urls(
    admin_class: ReadOnlyAdmin,
    name: str,
    page: Callable[..., HttpResponse],
    act: Callable[..., HttpResponse],
    own: list[URLPattern],
) -> list[URLPattern]:
    """Return the list of an admin class, its page and the pages of the actions."""
    wrap = admin_class.admin_site.admin_view
    return [
        path("<int:pk>/change/", wrap(page), name=f"games_{name}_change"),
        path("<int:pk>/<slug:action_key>/", wrap(act), name=f"games_{name}_action"),
        *(each for each in own if each.name == f"games_{name}_changelist"),
    ]


@admin.register(Webhook, site=site)
class WebhookAdmin(SearchableAdmin):
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
    list_filter: ClassVar = ["active", "stopped_because"]
    list_select_related = ("player",)
    search_fields = ("public_id",)
    search_help_text = "ID of an endpoint or name of a player"
    search = staticmethod(search_webhooks)

    def get_urls(self) -> list[URLPattern]:
        """Replace the change page by our own and add the pages of the actions."""
        return page_and_action_urls(self, "webhook", webhook_page, act_on_webhook, super().get_urls())


@admin.register(Delivery, site=site)
class DeliveryAdmin(SearchableAdmin):
    """The list of webhook deliveries."""

    list_display = ("public_id", "status_label", "endpoint_label", "type", "tried", "created_at", "due_at")
    list_filter: ClassVar = ["status", EventFilter]
    list_select_related = ("webhook__player",)
    search_fields = ("public_id",)
    search_help_text = "ID of a delivery, an endpoint or a match"
    search = staticmethod(search_deliveries)

    @display(description="status", label={"delivered": "success", "failed": "danger", "pending": "info"})
    def status_label(self, delivery: Delivery) -> str:
        """Return the status, shown as a coloured label."""
        return delivery.status

    @display(description="endpoint")
    def endpoint_label(self, delivery: Delivery) -> str:
        """Return the endpoint and its player, without the URL, which may contain secrets."""
        return f"{delivery.webhook.public_id} of {delivery.webhook.player.username}"

    def get_urls(self) -> list[URLPattern]:
        """Replace the change page by our own and add the pages of the actions."""
        return page_and_action_urls(self, "delivery", delivery_page, act_on_delivery, super().get_urls())


@admin.register(Notice, site=site)
class NoticeAdmin(ReadOnlyAdmin):
    """The list of pending mails and push messages; those that were sent are not stored."""

    list_display = ("kind", "way_label", "player", "about", "tried", "due_at")
    list_filter: ClassVar = ["way", "kind"]
    list_select_related = ("player",)

    @display(description="channel", label={"email": "info", "digest": "info", "push": "warning"})
    def way_label(self, notice: Notice) -> str:
        """Return the channel, shown as a coloured label."""
        return notice.way

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ANN401, ARG002 -- as Django calls it
        """Return whether the operator may see deliveries."""
        return request.user.has_perm("games.view_delivery")

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return whether the operator may see deliveries."""
        return self.has_view_permission(request)

    def get_urls(self) -> list[URLPattern]:
        """Replace the change page by our own and add the pages of the actions."""
        return page_and_action_urls(self, "notice", notice_page, act_on_notice, super().get_urls())


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryAction(AdminAction):
    """An action on an endpoint, a delivery or a notice, with its condition."""

    is_applicable: Callable[[Any], bool]

    def is_allowed(self, subject: object, operator: Player) -> bool:
        """Return whether this operator may perform the action now."""
        return operator.has_perm("games.operate_matches") and self.is_applicable(subject)


def actions_by_key(*actions: DeliveryAction) -> dict[str, DeliveryAction]:
    """Return actions by their keys."""
    return {action.key: action for action in actions}


WEBHOOK_ACTIONS: Final = actions_by_key(
    DeliveryAction(
        key="stop",
        label="Stop",
        description="Sends nothing more to this endpoint. Its owner cannot activate it again.",
        is_applicable=lambda webhook: webhook.stopped_because != StopReason.OPERATOR,
        function=deliveries.stop_webhook,
    ),
    DeliveryAction(
        key="enable",
        label="Enable",
        description="Sends to this endpoint again, pending deliveries first, and resets its failures.",
        is_applicable=lambda webhook: not webhook.active or webhook.failures > 0,
        function=deliveries.enable_webhook,
    ),
)
DELIVERY_ACTIONS: Final = actions_by_key(
    DeliveryAction(
        key="redeliver",
        label="Redeliver",
        description="Sends the delivery again with the same id, and repeats it if it fails.",
        is_applicable=lambda delivery: delivery.webhook.active and delivery.status != DeliveryStatus.PENDING,
        function=deliveries.redeliver,
    ),
)
NOTICE_ACTIONS: Final = actions_by_key(
    DeliveryAction(
        key="retry",
        label="Send now",
        description="Sends the message with the next batch, if it still applies.",
        is_applicable=lambda _: True,
        function=deliveries.retry_notice,
    ),
)


def shown_url(url: str) -> str:
    """Return scheme and host of an endpoint: path and parameters may contain secrets.

    >>> shown_url("https://user:pw@bots.example:8443/hooks/s3cret?key=1")
    'https://bots.example:8443/…'
    """
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}/…"


def render_page(
    request: HttpRequest,
    template: str,
    actions: dict[str, DeliveryAction],
    subject: object,
    **context: object,
) -> HttpResponse:
    """Render the page of a row with the actions that the operator may perform on it."""
    operator = require_operator(request)
    allowed = [action for action in actions.values() if action.is_allowed(subject, operator)]
    return render(request, template, {**site.each_context(request), "actions": allowed, **context})


def _audit_log(player: Player, key: str, value: object) -> Any:  # noqa: ANN401 -- a query
    entries = OperatorAction.objects.filter(player=player, **{f"details__{key}": value})
    return entries.select_related("operator").order_by("-pk")[:LATEST]


def get_row_or_404(rows: Any, pk: int) -> Any:  # noqa: ANN401 -- a query and its row
    """Return a row of a query, or raise 404."""
    found = rows.filter(pk=pk).first()
    if found is None:
        raise Http404
    return found


@permission_required("games.view_webhook", raise_exception=True)
def webhook_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an endpoint and its latest deliveries."""
    webhook = get_row_or_404(Webhook.objects.select_related("player"), pk)
    return render_page(
        request,
        "operators/webhook.html",
        WEBHOOK_ACTIONS,
        webhook,
        title=f"Webhook {webhook.public_id}",
        webhook=webhook,
        url=shown_url(webhook.url),
        deliveries=webhook.deliveries.order_by("-pk")[:LATEST],
        audit_log=_audit_log(webhook.player, "webhook", webhook.public_id),
    )


@permission_required("games.view_delivery", raise_exception=True)
def delivery_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a delivery: its body, which contains only what a spectator may see, and its attempts.

    Notices are for their player only, so their bodies are not shown.
    """
    delivery = get_row_or_404(Delivery.objects.select_related("webhook__player"), pk)
    body = json.loads((delivery.notice_id is None and read_body(delivery)) or "null")
    return render_page(
        request,
        "operators/delivery.html",
        DELIVERY_ACTIONS,
        delivery,
        title=f"Delivery {delivery.public_id}",
        delivery=delivery,
        url=shown_url(delivery.webhook.url),
        body=json.dumps(body, indent=2, ensure_ascii=False),
        attempts=delivery.attempts[::-1],
        audit_log=_audit_log(delivery.webhook.player, "delivery", delivery.public_id),
    )


@permission_required("games.view_delivery", raise_exception=True)
def notice_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a pending mail or push message."""
    notice = get_row_or_404(Notice.objects.select_related("player"), pk)
    return render_page(
        request,
        "operators/notice.html",
        NOTICE_ACTIONS,
        notice,
        title=f"Notice: {notice.kind}",
        notice=notice,
    )


def act_on_webhook(request: HttpRequest, pk: int, action_key: str) -> HttpResponse:
    """Show the form of an action on an endpoint and perform it."""
    webhook = get_row_or_404(Webhook.objects.all(), pk)
    subject = {"webhook_id": webhook.public_id}
    return act_on_row(request, WEBHOOK_ACTIONS, action_key, webhook, subject, "webhook")


def act_on_delivery(request: HttpRequest, pk: int, action_key: str) -> HttpResponse:
    """Show the form of an action on a delivery and perform it."""
    delivery = get_row_or_404(Delivery.objects.select_related("webhook"), pk)
    subject = {"delivery_id": delivery.public_id}
    return act_on_row(request, DELIVERY_ACTIONS, action_key, delivery, subject, "delivery")


def act_on_notice(request: HttpRequest, pk: int, action_key: str) -> HttpResponse:
    """Show the form of an action on a notice and perform it."""
    notice = get_row_or_404(Notice.objects.all(), pk)
    return act_on_row(request, NOTICE_ACTIONS, action_key, notice, {"notice_id": notice.pk}, "notice")


def act_on_row(
    request: HttpRequest,
    actions: dict[str, DeliveryAction],
    key: str,
    row: Any,  # noqa: ANN401 -- the row of any of the tables
    subject: dict[str, object],
    name: str,
) -> HttpResponse:
    """Show the form of an action on a row, and perform it."""
    action = actions.get(key)
    if action is None or not action.is_allowed(row, require_operator(request)):
        raise Http404
    form = ReasonForm(request.POST or None)
    if perform_action(request, action, form, **subject):
        return redirect(f"admin:games_{name}_change", row.pk)
    context = {
        **site.each_context(request),
        "title": f"{action.label}: {row}",
        "action": action,
        "form": form,
    }
    return render(request, "operators/action.html", context)
