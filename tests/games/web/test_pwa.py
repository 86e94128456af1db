"""Tests of the web app manifest and the service worker."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from games.web import pwa

pytestmark = pytest.mark.django_db


def app_shell() -> Any:
    """Return the app shell that is passed to the service worker."""
    script = Client().get("/sw.js").content.decode()
    found = re.match(r"self\.SHELL = (\{.*\});\n", script)
    assert found is not None
    return json.loads(found[1])


def test_the_manifest_names_existing_icons_and_shortcuts() -> None:
    answer = Client().get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    for icon in manifest["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/")) is not None
    sizes = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]}
    assert sizes >= {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    for shortcut in manifest["shortcuts"]:
        assert Client().get(shortcut["url"]).status_code == 200


@pytest.mark.parametrize(("name", "size"), (("icon-192", 192), ("icon-512", 512), ("maskable-512", 512)))
def test_an_icon_has_its_declared_size(name: str, size: int) -> None:
    png = (pwa.STATIC_FOLDER / "web" / "icons" / f"{name}.png").read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")) == (size, size)


def test_the_service_worker_caches_only_static_files_and_the_offline_page() -> None:
    shell = app_shell()
    assert len(shell["files"]) > 50
    assert all(file.startswith("/static/web/") for file in shell["files"])
    assert all(Client().get(file).status_code == 200 for file in (shell["offline"], shell["icon"]))
    assert "/static/web/service-worker.js" not in shell["files"]


def test_the_service_worker_is_revalidated_each_time() -> None:
    answer = Client().get("/sw.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"
    assert Client().post("/sw.js").status_code == 405


def test_a_changed_file_changes_the_version_of_the_shell(
    tmp_path: Path, monkeypatch: Any, settings: Any
) -> None:
    settings.DEBUG = True
    (tmp_path / "web").mkdir()
    script = tmp_path / "web" / "one.js"
    script.write_text("1")
    monkeypatch.setattr(pwa, "STATIC_FOLDER", tmp_path)
    first = app_shell()
    assert app_shell() == first
    script.write_text("2")
    second = app_shell()
    assert second["version"] != first["version"]
    assert (second["files"], second["immutable"]) == (["/static/web/one.js"], False)


def test_hashed_urls_are_marked_as_immutable(monkeypatch: Any, settings: Any) -> None:
    settings.DEBUG = True
    monkeypatch.setattr(pwa, "static", lambda name: f"/static/{name}.0a1b2c.js")
    assert app_shell()["immutable"] is True
