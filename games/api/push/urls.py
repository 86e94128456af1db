"""The routes of push messages."""

from django.urls import URLPattern, path

from games.api import converters
from games.api.push import views


def push_routes() -> list[URLPattern]:
    """List them, without slashes at the end: the middleware takes those away."""
    converters.register()
    return [
        path("push/key", views.PushKeyView.as_view(), name="push-key"),
        path("me/devices", views.DevicesView.as_view(), name="devices"),
        path("me/devices/<id:device_id>", views.OneDeviceView.as_view(), name="device"),
        path("me/devices/<id:device_id>/test", views.DeviceTestView.as_view(), name="device-test"),
    ]
