"""Every route rejects invalid requests without side effects. Each route needs a row here."""

from dataclasses import replace
from typing import Any, Final

import pytest
from django.apps import apps
from django.urls import resolve
from rest_framework.test import APIClient

from games.matches.models.match import Match
from tests.games.api.bad_input import ROOT, Route, accepted
from tests.games.api.permission_matrix import create_private_objects
from tests.games.api.routes import METHODS, PARTS, routes
from tests.support.clients import client_of, code, make_guest, make_person, post_match
from tests.support.factories import NEW_MATCH
from tests.support.receiver import push_subscription

ACCOUNT: Final = {"username": "heather", "password": "a heap of heather", "email": "h@example.org"}
SEED: Final = {"client_seed": "anything"}
RECORD: Final = {"record": {"format": "haggis-record/1"}}
PROFILE: Final = {
    "display_name": "H",
    "email": "h@example.org",
    "time_zone": "UTC",
    "language": "de",
    "show_online": False,
    "notifications": {"email": []},
}
APP: Final = {"name": "n", "redirect_uris": ["https://a.example/"], "website": "https://a.example/"}
CHALLENGES: Final = {
    "rulesets": ["classic"],
    "players": [2],
    "min_turn_seconds": 60,
    "max_turn_seconds": 600,
    "without_clock": True,
    "opponents": "any",
    "rated": False,
    "at_once": 5,
    "auto_accept": True,
}
TOKEN: Final = {"name": "n", "scopes": ["matches:read"], "expires_at": "2099-01-01T00:00:00Z"}
PLAY: Final = {"version": 1, "type": "play", "cards": ["7r"], "as": {"kind": "set", "top": 7, "width": 1}}
ANSWER: Final = {"type": "play", "cards": ["7r"], "as": {"kind": "set", "top": 7, "width": 1}}
CHECK: Final = {"cards": ["7r", "J"], "as": {"kind": "set", "length": 1}}
READINGS: Final = {"players": 2, "cards": ["7r"], "as": {"kind": "set"}}
WEBHOOK: Final = {
    "url": "https://a.example/",
    "types": ["play"],
    "match": "m_1",
    "description": "d",
    "format": "standard",
}
WEBHOOK_CHANGES: Final = {"url": "https://a.example/", "types": ["play"], "active": True, "description": "d"}
REPORT: Final = {"username": "heather", "reason": "abuse", "match": "m_1", "text": "t"}
DEVICE: Final = {**push_subscription("any"), "name": "n"}
LESSON_PLAY: Final = {"type": "play", "cards": ["5r", "5g"], "as": {"kind": "set"}}
LISTING: Final = "status ruleset open_seats ordering limit cursor"

# One row for each method of each route, with a well-formed body and the supported query parameters.
ROUTES: Final = (
    Route("POST", "auth/guest", {"display_name": "Heather"}, user="nobody"),
    Route("POST", "auth/register", ACCOUNT, needed="/username /password", user="nobody"),
    Route("POST", "auth/claim", ACCOUNT, needed="/username /password", user="guest"),
    Route(
        "POST",
        "auth/token",
        {"username": "h", "password": "p", "code": "1"},
        needed="/username /password",
    ),
    Route("DELETE", "auth/token"),
    Route("POST", "auth/ticket", {}),
    Route("POST", "auth/password/reset", {"username": "h", "email": "h@example.org"}),
    Route(
        "POST",
        "auth/password/confirm",
        {"token": "1.abc", "password": "p", "code": "1"},
        needed="/token /password",
    ),
    Route("POST", "auth/email/undo", {"token": "1.abc"}, needed="/token"),
    Route("POST", "auth/email/confirm", {"token": "1.abc"}, needed="/token"),
    Route("GET", "me"),
    Route("PATCH", "me", PROFILE, nullable="/email /language"),
    Route("DELETE", "me"),
    Route("POST", "me/password", {"current_password": "a", "password": "p"}, needed="/password"),
    Route("POST", "me/reauthenticate", {"password": "p", "code": "1"}, needed="/password"),
    Route("GET", "me/second-factor"),
    Route("POST", "me/second-factor", {"code": "1"}),
    Route("DELETE", "me/second-factor"),
    Route("GET", "me/sessions", parameters="limit cursor"),
    Route("DELETE", "me/sessions"),
    Route("DELETE", "me/sessions/{session}"),
    Route("GET", "me/tokens", parameters="limit cursor"),
    Route("POST", "me/tokens", TOKEN, needed="/name /scopes", nullable="/expires_at"),
    Route("DELETE", "me/tokens/{token}"),
    Route("GET", "me/apps", parameters="limit cursor"),
    Route("POST", "me/apps", APP, needed="/name /redirect_uris"),
    Route("PATCH", "me/apps/{app}", APP),
    Route("DELETE", "me/apps/{app}"),
    Route("GET", "me/authorizations", parameters="limit cursor"),
    Route("DELETE", "me/authorizations/{authorization}"),
    Route("GET", "me/bots", parameters="limit cursor"),
    Route("POST", "me/bots", {"username": "robot-2", "display_name": "R"}, needed="/username"),
    Route("DELETE", "me/bots/{bot}"),
    Route(
        "PATCH",
        "me/bots/{bot}",
        {"display_name": "R", "challenges": CHALLENGES},
        needed=" ".join(f"/challenges/{name}" for name in CHALLENGES),
        nullable="/challenges /challenges/min_turn_seconds /challenges/max_turn_seconds",
    ),
    Route("POST", "me/bots/{bot}/token", {}),
    Route("GET", "me/webhooks", parameters="limit cursor"),
    Route("POST", "me/webhooks", WEBHOOK, needed="/url", nullable="/types /match"),
    Route("GET", "push/key"),
    Route("GET", "me/notifications/deliveries", parameters="limit cursor"),
    Route("POST", "me/email/test", {}),
    Route("GET", "me/devices", parameters="limit cursor"),
    Route("POST", "me/devices", DEVICE, needed="/endpoint /keys"),
    Route("DELETE", "me/devices/{device}"),
    Route("POST", "me/devices/{device}/test", {}),
    Route("GET", "me/webhooks/{webhook}"),
    Route("PATCH", "me/webhooks/{webhook}", WEBHOOK_CHANGES, nullable="/types"),
    Route("DELETE", "me/webhooks/{webhook}"),
    Route("POST", "me/webhooks/{webhook}/secret", {"overlap_seconds": 60}),
    Route("GET", "me/webhooks/{webhook}/deliveries", parameters="limit cursor"),
    Route("POST", "me/webhooks/{webhook}/deliveries/{delivery}/redeliver", {}),
    Route("POST", "me/webhooks/{webhook}/test", {}),
    Route("GET", "me/matches", parameters="limit cursor my_turn ids include"),
    Route("GET", "me/invitations", parameters="limit cursor"),
    Route("GET", "players/{player}"),
    Route("GET", "players", parameters="limit cursor q kind online follows ordering"),
    Route("GET", "me/follows", parameters="limit cursor"),
    Route("PUT", "me/follows/{player}", {}),
    Route("DELETE", "me/follows/{player}"),
    Route("GET", "me/blocks", parameters="limit cursor"),
    Route("PUT", "me/blocks/{player}", {}),
    Route("DELETE", "me/blocks/{player}"),
    Route("GET", "me/relations/{player}"),
    Route("GET", "limits"),
    Route("GET", "players/{player}/matches", parameters=f"{LISTING} players against result q"),
    Route("GET", "players/{player}/stats", parameters="ruleset players against"),
    Route("GET", "matches/{match}/watchers"),
    Route("GET", "watch", parameters="ruleset players limit cursor"),
    Route("GET", "schema"),
    Route("GET", "schema/3.0"),
    Route("GET", "rulesets", parameters="limit cursor"),
    Route("GET", "rulesets/{ruleset}"),
    Route("POST", "rulesets/{ruleset}/readings", READINGS, needed="/players /cards", nullable="/as"),
    Route("GET", "lessons", parameters="limit cursor"),
    Route("GET", "lessons/{lesson}"),
    Route(
        "POST",
        "lessons/{lesson}/act",
        {"actions": [LESSON_PLAY]},
        needed="/actions /actions/0/type /actions/0/cards",
        nullable="/actions/0/as",
    ),
    Route(
        "POST",
        "lessons/{lesson}/check",
        {"actions": [LESSON_PLAY], "cards": ["8o"], "as": {"kind": "set"}},
        needed="/cards /actions/0/type /actions/0/cards",
        nullable="/actions/0/as /as",
    ),
    Route("GET", "matches", parameters=f"{LISTING} player maker"),
    Route(
        "POST",
        "matches",
        NEW_MATCH,
        needed="/ruleset /seats/0/kind",
        nullable="/target_score /turn_seconds",
    ),
    Route("GET", "matches/{match}", parameters="after wait"),
    Route("POST", "matches/{match}/start", SEED),
    Route("POST", "matches/{match}/join", {"seat": 1, **SEED}),
    Route("POST", "matches/{match}/leave", {}),
    Route("POST", "matches/{match}/accept", SEED),
    Route("POST", "matches/{match}/decline", {"reason": "none"}),
    Route("POST", "matches/{match}/cancel", {}),
    Route("POST", "matches/{match}/reclaim", {}),
    Route("POST", "matches/{match}/pause", {}),
    Route("DELETE", "matches/{match}/pause"),
    Route("POST", "matches/{match}/resume", {}),
    Route("GET", "clocks", parameters="limit cursor"),
    Route("POST", "me/notices/an_none/acknowledge", {}),
    Route("POST", "reports", REPORT, needed="/username /reason", nullable="/match"),
    Route("GET", "puzzles/daily"),
    Route("GET", "puzzles/next", parameters="after"),
    Route("GET", "puzzles/{puzzle}"),
    Route("POST", "puzzles/{puzzle}/answer", ANSWER, needed="/cards", nullable="/as"),
    Route("POST", "puzzles/{puzzle}/answer", {"type": "pass"}),
    Route("POST", "puzzles/{puzzle}/answer", {"type": "bet", "amount": 5}, needed="/amount"),
    Route("POST", "puzzles/{puzzle}/answer", {"type": "award", "to": 1}, needed="/to"),
    Route("POST", "puzzles/{puzzle}/check", CHECK, needed="/cards", nullable="/as"),
    Route("GET", "puzzles/{puzzle}/legal-moves"),
    Route("GET", "me/vacation"),
    Route("PUT", "me/vacation", {"until": "2001-02-03T04:05:06Z"}, needed="/until"),
    Route("DELETE", "me/vacation"),
    Route("POST", "matches/{match}/resign", {}),
    Route("POST", "matches/{match}/rematch", SEED),
    Route("PUT", "matches/{match}/seats/{number}", {"kind": "ai", "level": "easy"}, needed="/kind /level"),
    Route("GET", "matches/{match}/moves", parameters="after limit wait"),
    Route("POST", "matches/{match}/moves", PLAY, needed="/version /type /cards", nullable="/as"),
    Route("POST", "matches/{match}/moves", {"version": 1, "type": "pass"}, needed="/version /type"),
    Route("POST", "matches/{match}/moves", {"version": 1, "type": "bet", "amount": 15}, needed="/amount"),
    Route("POST", "matches/{match}/moves", {"version": 1, "type": "award", "to": 1}, needed="/to"),
    Route("POST", "matches/{match}/moves/check", CHECK, needed="/cards", nullable="/as"),
    Route("GET", "matches/{match}/legal-moves", parameters="kind width length top expand"),
    Route("GET", "matches/{match}/hint"),
    Route("GET", "matches/{match}/analysis"),
    Route("POST", "matches/{match}/analysis", {}),
    Route("PUT", "matches/{match}/standing-order", {}),
    Route("DELETE", "matches/{match}/standing-order"),
    Route("GET", "matches/{match}/rounds", parameters="limit cursor"),
    Route("GET", "matches/{match}/rounds/{number}"),
    Route("GET", "matches/{match}/record"),
    Route("GET", "matches/{match}/events", parameters="after"),
    Route("GET", "me/events", parameters="after cursor limit wait"),
    Route("GET", "exports", parameters="limit cursor"),
    Route("GET", "exports/{file}"),
    Route("GET", "me/export"),
    Route("POST", "me/export", {}),
    Route("GET", "me/export/archive"),
    Route("GET", "records", parameters="since until ruleset players kind cursor"),
    Route("GET", "records/verifications/v_unknown"),
    Route("POST", "records/verify", RECORD, needed="/record", opaque="/record", largest_body=4 * 1024 * 1024),
)


def test_every_method_of_every_route_has_a_row() -> None:
    rows = {(str(resolve(ROOT + route.path.format(**PARTS)).url_name), route.method) for route in ROUTES}
    assert rows == routes()


def database_state() -> list[Any]:
    """Return row counts and match versions, which side effects would change."""
    counts = {
        model.__name__: model._default_manager.count() for model in apps.get_app_config("games").get_models()
    }
    return [counts, list(Match.objects.values_list("pk", "version", "status"))]


def client_and_parts(user: str) -> tuple[APIClient, dict[str, str]]:
    """Return the client of a user, and path parameters of existing objects."""
    maker = make_person("maker")
    makers = client_of(maker)
    parts = PARTS | {"match": post_match(makers)["id"]} | create_private_objects(makers)
    clients = {"maker": makers, "guest": make_guest()[1], "nobody": APIClient()}
    return clients[user], parts


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_invalid_requests_are_rejected_and_change_nothing(db: None, route: Route) -> None:
    client, parts = client_and_parts(route.user)
    existing = replace(route, path=route.path.format(**parts))
    before = database_state()
    assert accepted(client, existing) == []
    assert database_state() == before


INVALID_PARTS: Final = (
    *("%00", "%ff", "..", "a" * 31, "a" * 400, "ai:hard", "%F0%9F%82%A1", "a%0Ab", "x'--", "%ED%A0%80"),
    *("1" * 20, "01", "-1", "1.0", "%31%00", "null", "*", "a b", "a%2fb"),
)


@pytest.mark.parametrize("route", [route for route in ROUTES if "{" in route.path], ids=str)
def test_invalid_path_parameters_are_rejected(database: str, route: Route) -> None:
    client, parts = client_and_parts(route.user)
    send: Any = client.generic
    for name in parts:
        if f"{{{name}}}" not in route.path:
            continue
        for invalid in INVALID_PARTS:
            address = ROOT + route.path.format(**parts | {name: invalid})
            response = send(route.method, address, b"{}", content_type="application/json")
            assert code(response) in {"not_found", "validation_error"}, (address, response.content)


@pytest.mark.parametrize("method", METHODS)
def test_unknown_paths_are_not_found(db: None, method: str) -> None:
    for invalid in INVALID_PARTS:
        response = client_of(make_person()).generic(method, ROOT + invalid)
        assert (response.status_code, code(response)) == (404, "not_found"), invalid
