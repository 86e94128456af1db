"""What makes the pages an app: a manifest with icons, and a service worker that changes with the shell."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from games.web import pwa

pytestmark = pytest.mark.django_db


def told_to_the_worker() -> Any:
    """What the service worker is told of the shell."""
    script = Client().get("/sw.js").content.decode()
    found = re.match(r"self\.SHELL = (\{.*\});\n", script)
    assert found is not None
    return json.loads(found[1])


def test_the_manifest_names_icons_that_are_there_some_of_which_may_be_masked() -> None:
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
def test_an_icon_is_as_large_as_it_is_said_to_be(name: str, size: int) -> None:
    png = (pwa.STATIC_FOLDER / "web" / "icons" / f"{name}.png").read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")) == (size, size)


def test_the_worker_keeps_files_of_ours_and_one_page_and_no_answer_of_the_api() -> None:
    told = told_to_the_worker()
    assert len(told["files"]) > 50
    assert all(file.startswith("/static/web/") for file in told["files"])
    assert all(Client().get(file).status_code == 200 for file in (told["offline"], told["icon"]))
    assert "/static/web/service-worker.js" not in told["files"]


def test_the_worker_is_read_anew_and_may_be_for_every_page() -> None:
    answer = Client().get("/sw.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"
    assert Client().post("/sw.js").status_code == 405


def test_a_file_that_changed_makes_another_worker(tmp_path: Path, monkeypatch: Any, settings: Any) -> None:
    settings.DEBUG = True
    (tmp_path / "web").mkdir()
    script = tmp_path / "web" / "one.js"
    script.write_text("1")
    monkeypatch.setattr(pwa, "STATIC_FOLDER", tmp_path)
    first = told_to_the_worker()
    assert told_to_the_worker() == first
    script.write_text("2")
    second = told_to_the_worker()
    assert second["version"] != first["version"]
    assert (second["files"], second["lasting"]) == (["/static/web/one.js"], False)


def test_addresses_with_a_hash_last(monkeypatch: Any, settings: Any) -> None:
    settings.DEBUG = True
    monkeypatch.setattr(pwa, "static", lambda name: f"/static/{name}.0a1b2c.js")
    assert told_to_the_worker()["lasting"] is True
