"""Templates and static files of the web pages and of the admin."""

from pathlib import Path
from typing import Any

from haggis_service.settings import admin

_GAMES = Path(__file__).resolve().parent.parent.parent / "games"
_WEB, _ADMIN = _GAMES / "web", _GAMES / "operators"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [_WEB / "templates", _ADMIN / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                *admin.CONTEXT_PROCESSORS,
            ],
            "libraries": {"cards": "games.templatetags.cards"},
        },
    }
]

STATICFILES_DIRS = [_WEB / "static", _ADMIN / "static"]
