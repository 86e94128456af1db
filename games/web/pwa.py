"""The web app manifest, the service worker and the offline page."""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from csp.decorators import csp_update
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.web.languages import localized
from games.web.views import TRUSTED_TYPES_CSP

STATIC_FOLDER: Final = Path(__file__).parent / "static"
SERVICE_WORKER_PATH: Final = STATIC_FOLDER / "web" / "service-worker.js"
OFFLINE_PATH: Final = "/offline"
# The translations for scripts, one file for each language.
CATALOGUE_FOLDER: Final = "messages"
_CACHED_SUFFIXES: Final = frozenset({".js", ".css", ".svg"})
_THEME_COLOR: Final = "#24433a"
_ICONS: Final = (
    ("icons/icon-192.png", "192x192", "any"),
    ("icons/icon-512.png", "512x512", "any"),
    ("icons/maskable-512.png", "512x512", "maskable"),
    ("icons/app.svg", "any", "maskable"),
    ("icon.svg", "any", "any"),
)


@dataclass(frozen=True, slots=True)
class AppShell:
    """The files that the service worker caches, which are the same for all users.

    `version` changes with their content. `immutable` says that their URLs do too, since they contain a hash.
    Of `catalogues`, the translations by language, only that of the offline page is cached.
    """

    version: str
    files: tuple[str, ...]
    catalogues: dict[str, str]
    immutable: bool

    def script(self) -> str:
        """Return a JavaScript statement that defines the shell for the service worker."""
        shell = {
            "version": self.version,
            "files": self.files,
            "catalogues": self.catalogues,
            "immutable": self.immutable,
            "offline": OFFLINE_PATH,
            "icon": static("web/icons/icon-192.png"),
        }
        return f"self.SHELL = {json.dumps(shell)};\n"


def shell() -> AppShell:
    """Return the app shell, which is read once per process, or each time with `DEBUG`."""
    return _read_shell() if settings.DEBUG else _cached_shell()


@cache
def _cached_shell() -> AppShell:
    return _read_shell()


def _read_shell() -> AppShell:
    digest = hashlib.sha256(render_to_string("web/offline.html").encode())
    files = []
    catalogues = {}
    immutable = True
    for path in sorted(
        each
        for each in STATIC_FOLDER.rglob("*")
        if each.suffix in _CACHED_SUFFIXES and each != SERVICE_WORKER_PATH
    ):
        name = path.relative_to(STATIC_FOLDER).as_posix()
        url = static(name)
        immutable = immutable and not url.endswith(f"/{name}")
        if path.parent.name == CATALOGUE_FOLDER:
            catalogues[path.stem] = url
        else:
            files.append(url)
        digest.update(url.encode() + path.read_bytes())
    return AppShell(digest.hexdigest()[:16], tuple(files), catalogues, immutable)


@require_safe
@cache_control(no_cache=True)
def service_worker(_request: HttpRequest) -> HttpResponse:
    """Serve the service worker, whose content changes with the files that it caches."""
    script = shell().script() + SERVICE_WORKER_PATH.read_text(encoding="utf-8")
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


@require_safe
@cache_control(no_cache=True)
@csp_update(TRUSTED_TYPES_CSP)
@localized
def offline(request: HttpRequest) -> HttpResponse:
    """Serve the page that the service worker shows without a network."""
    return render(request, "web/offline.html")


@require_safe
@cache_control(max_age=3600)
@localized
def manifest(_request: HttpRequest) -> HttpResponse:
    """Serve the web app manifest."""
    content: dict[str, Any] = {
        "id": "/",
        "name": "Haggis",
        "short_name": "Haggis",
        "description": gettext("A climbing card game for two or three players."),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": _THEME_COLOR,
        "theme_color": _THEME_COLOR,
        "categories": ["games"],
        "icons": [
            {"src": static(f"web/{name}"), "sizes": size, "purpose": use} for name, size, use in _ICONS
        ],
        "lang": get_language(),
        "shortcuts": [
            {"name": gettext("Rules"), "url": "/rules"},
            {"name": gettext("Replay a record"), "url": "/replay"},
        ],
    }
    return JsonResponse(content, content_type="application/manifest+json")
