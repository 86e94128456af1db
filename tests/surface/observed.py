"""Collect headers, cookies, cursors, cache keys, stored JSON, metrics and health checks from responses."""

import base64
import json
import re
from typing import Any

from django.core.cache import cache, caches
from django.db import connection
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from games.core.rate_limits import reset_reservations
from tests.surface.databases import shape

_TOKEN = "a metrics token of the tests, long enough"


def responses(settings: Settings) -> dict[str, Any]:
    """Play a short scenario and return the structure of its responses and of the stored rows."""
    settings.HAGGIS_LIMITS = {"player": (999, 60), "address": (999, 60), "accounts": (999, 60)}
    cache.clear()
    reset_reservations()
    client = Client()
    guest = client.post("/api/v1/auth/guest", {}, "application/json")
    token = guest.json()["token"]
    player = Client(headers={"Authorization": f"Bearer {token}"})
    payload = {"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "ai", "level": "easy"}]}
    payload |= {"client_seed": "salt"}
    created = [player.post("/api/v1/matches", payload, "application/json") for _ in range(2)]
    read = player.get(f"/api/v1/matches/{created[0].json()['id']}")
    pages = {path: player.get(path) for path in ("/api/v1/matches?limit=1", "/api/v1/rulesets?limit=1")}
    log_in = client.get("/admin/login/", follow=True)
    refused = client.get("/api/v1/me")
    keys = sorted({re.sub(r"\d[\d.]*", "#", key) for key in vars(caches["default"])["_cache"]})
    cache.clear()
    return {
        "token": shape(token),
        "ticket": shape(player.post("/api/v1/auth/ticket", {}, "application/json").json()["ticket"]),
        "headers": {
            "create": headers(created[0]),
            "read": headers(read),
            "refused": headers(refused),
            "page": headers(client.get("/")),
        },
        "cookies": {name: sorted(k for k, v in made.items() if v) for name, made in log_in.cookies.items()},
        "cursors": {path: cursor(page.json()["next"]) for path, page in pages.items()},
        "cache keys": keys,
        "manifest": manifest(client.get("/manifest.webmanifest").json()),
        "problem": {name: value for name, value in refused.json().items() if name in {"type", "code"}},
        "stored": stored_json(),
    }


def headers(response: Any) -> list[str]:
    """Return the names of the headers of a response."""
    assert response.status_code < 500, response.content
    return sorted(response.headers)


def cursor(address: str) -> list[str]:
    """Return the types of the values that the cursor in a URL encodes."""
    text = address.partition("cursor=")[2].partition("&")[0]
    parts = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    return [
        f"{type(part).__name__} {shape(part) if str(part).startswith('m_') else ''}".strip() for part in parts
    ]


def manifest(document: dict[str, Any]) -> dict[str, Any]:
    """Return the members of the web app manifest that installed apps depend on."""
    return {name: document[name] for name in ("id", "scope", "start_url", "display", "icons")}


def stored_json() -> dict[str, list[str]]:
    """Return the member paths of all stored JSON values by column."""
    found: dict[str, set[str]] = {}
    for table in connection.introspection.table_names():
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608 -- from the catalogue
            names = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                for name, value in zip(names, row, strict=True):
                    if isinstance(value, str) and value[:1] in {"{", "["}:
                        found.setdefault(f"{table}.{name}", set()).update(paths(json.loads(value)))
    return {name: sorted(each) for name, each in found.items()}


def paths(value: Any, place: str = "") -> list[str]:
    """Return the paths of all members of a JSON value.

    >>> paths({"seats": [{"hand": 1}, {"hand": None}]})
    ['seats[].hand', 'seats[].hand']
    """
    if isinstance(value, dict) and value:
        return [path for name in value for path in paths(value[name], f"{place}.{name}".lstrip("."))]
    if isinstance(value, list) and value:
        return [path for each in value for path in paths(each, f"{place}[]")]
    return [place]


def metrics(settings: Settings) -> dict[str, Any]:
    """Return the metrics of the service with their types and labels."""
    settings.HAGGIS_METRICS_TOKEN = _TOKEN
    client = Client(headers={"Authorization": f"Bearer {_TOKEN}"})
    client.get("/healthz")
    text = client.get("/metrics").content.decode()
    families = text_string_to_metric_families(text)
    return {
        family.name: {
            "type": family.type,
            "samples": sorted(
                {f"{each.name} {' '.join(sorted(each.labels))}".strip() for each in family.samples}
            ),
        }
        for family in families
        if family.name.startswith("haggis")
    }


def health_checks() -> dict[str, Any]:
    """Return the status codes and members of the health checks."""
    found = {}
    for path in ("/healthz", "/readyz", "/metrics"):
        response = Client().get(path)
        found[path] = {"status": response.status_code, "members": paths(response.json())}
    return found
