"""The manifest, the service worker and the offline page."""

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
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.web.views import TRUSTED_TYPES_CSP

FOLDER: Final = Path(__file__).parent / "static"
WORKER: Final = FOLDER / "web" / "service-worker.js"
OFFLINE: Final = "/offline"
_KEPT: Final = frozenset({".js", ".css", ".svg"})
_FELT: Final = "#24433a"
_ICONS: Final = (
    ("icons/icon-192.png", "192x192", "any"),
    ("icons/icon-512.png", "512x512", "any"),
    ("icons/maskable-512.png", "512x512", "maskable"),
    ("icons/app.svg", "any", "maskable"),
    ("icon.svg", "any", "any"),
)


@dataclass(frozen=True, slots=True)
class AppShell:
    """What the service worker keeps: files that are the same for everybody, and the page without a network.

    `version` changes with whatever is in them. `lasting` says that their addresses do too.
    """

    version: str
    files: tuple[str, ...]
    lasting: bool

    def script(self) -> str:
        """Say it to the service worker."""
        told = {
            "version": self.version,
            "files": self.files,
            "lasting": self.lasting,
            "offline": OFFLINE,
            "icon": static("web/icons/icon-192.png"),
        }
        return f"self.SHELL = {json.dumps(told)};\n"


def shell() -> AppShell:
    """What it is now: read once, or each time where files are edited while they are served."""
    return _read_shell() if settings.DEBUG else _cached_shell()


@cache
def _cached_shell() -> AppShell:
    return _read_shell()


def _read_shell() -> AppShell:
    seen = hashlib.sha256(render_to_string("web/offline.html").encode())
    files = []
    lasting = True
    for path in sorted(each for each in FOLDER.rglob("*") if each.suffix in _KEPT and each != WORKER):
        name = path.relative_to(FOLDER).as_posix()
        address = static(name)
        lasting = lasting and not address.endswith(f"/{name}")
        files.append(address)
        seen.update(address.encode() + path.read_bytes())
    return AppShell(seen.hexdigest()[:16], tuple(files), lasting)


@require_safe
@cache_control(no_cache=True)
def service_worker(_request: HttpRequest) -> HttpResponse:
    """The service worker, which is another one whenever anything that it keeps is."""
    script = shell().script() + WORKER.read_text(encoding="utf-8")
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


@require_safe
@cache_control(no_cache=True)
@csp_update(TRUSTED_TYPES_CSP)
def offline(request: HttpRequest) -> HttpResponse:
    """What is shown instead of a page that the network did not bring."""
    return render(request, "web/offline.html")


@require_safe
@cache_control(max_age=3600)
def manifest(_request: HttpRequest) -> HttpResponse:
    """What the app is called, and how it looks among others."""
    told: dict[str, Any] = {
        "id": "/",
        "name": "Haggis",
        "short_name": "Haggis",
        "description": "A card game of climbing for two or three.",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": _FELT,
        "theme_color": _FELT,
        "categories": ["games"],
        "icons": [
            {"src": static(f"web/{name}"), "sizes": size, "purpose": use} for name, size, use in _ICONS
        ],
        "shortcuts": [{"name": "The rules", "url": "/rules"}, {"name": "Look at a record", "url": "/replay"}],
    }
    return JsonResponse(told, content_type="application/manifest+json")
