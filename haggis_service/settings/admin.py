"""The admin site: apps, navigation and theme."""

from typing import Any, Final

from django.templatetags.static import static
from django.urls import reverse_lazy

_HEATHER: Final = {
    "50": "#f8f5fa", "100": "#f0e9f4", "200": "#e0d2e8", "300": "#c8b0d5", "400": "#ab87bd", "500": "#8f66a4",
    "600": "#765089", "700": "#5c3a78", "800": "#4d3262", "900": "#3f2a4f", "950": "#281833",
}  # fmt: skip

# Unfold comes first, so that its templates override those of Django's admin.
APPS: Final = [
    "unfold.apps.BasicAppConfig",
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.messages",
]
CONTEXT_PROCESSORS: Final = [
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
]

_NAVIGATION: Final = (
    ("Now", "monitoring", "index"),
    ("Matches", "playing_cards", "games_match_changelist"),
    ("Players", "group", "games_player_changelist"),
    ("Reports", "flag", "games_report_changelist"),
    ("Apps", "apps", "games_oauthapp_changelist"),
    ("Webhooks", "webhook", "games_webhook_changelist"),
    ("Deliveries", "outbox", "games_delivery_changelist"),
    ("Mail and push", "mail", "games_notice_changelist"),
    ("Data set", "database", "games_datasetfile_changelist"),
    ("Audit log", "history", "games_operatoraction_changelist"),
)


def _item(title: str, icon: str, page: str) -> dict[str, Any]:
    return {"title": title, "icon": icon, "link": reverse_lazy(f"admin:{page}")}


UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Haggis",
    "SITE_HEADER": "Haggis",
    "SITE_SUBHEADER": "Operators",
    "SITE_SYMBOL": "playing_cards",
    "SHOW_HISTORY": False,
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda _request: static("web/icon.svg")}
    ],
    "SCRIPTS": [lambda _request: static("operators/alpine-csp.js")],
    "COLORS": {"primary": _HEATHER},
    "SIDEBAR": {"navigation": [{"items": [_item(*each) for each in _NAVIGATION]}]},
}
