"""The routes of webhooks."""

from django.urls import URLPattern, path

from games.api import converters
from games.api.webhooks import views


def webhook_routes() -> list[URLPattern]:
    """List them, without slashes at the end: the middleware takes those away."""
    converters.register()
    one = "me/webhooks/<id:webhook_id>"
    again = f"{one}/deliveries/<id:delivery_id>/redeliver"
    return [
        path("me/webhooks", views.WebhooksView.as_view(), name="webhooks"),
        path(one, views.OneWebhookView.as_view(), name="webhook"),
        path(f"{one}/secret", views.WebhookSecretView.as_view(), name="webhook-secret"),
        path(f"{one}/deliveries", views.DeliveriesView.as_view(), name="webhook-deliveries"),
        path(again, views.RedeliverView.as_view(), name="webhook-redeliver"),
        path(f"{one}/test", views.WebhookTestView.as_view(), name="webhook-test"),
    ]
