"""`Location`: every response to what was created says where that is."""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from django.utils import timezone

from games.accounts.models import SecurityEvent, SecurityEventKind
from games.accounts.services.mails import undo_token
from games.api.schema.document import document
from tests.support.clients import PASSWORD, HttpPlayer, make_person
from tests.support.contract import find_operation
from tests.support.receiver import push_subscription
from tests.support.table import Table

Request = tuple[str, Any]
CREATED: Final = {
    operation["operationId"]: operation["responses"]["201"]
    for methods in document()["paths"].values()
    for operation in methods.values()
    if "201" in operation.get("responses", {})
}


def undo(heather: HttpPlayer) -> Request:
    player = heather.player
    kind = SecurityEventKind.EMAIL_CHANGED
    event = SecurityEvent.objects.create(player=player, kind=kind, at=timezone.now(), email=player.email)
    return "auth/email/undo", {"token": undo_token(event)}


def rematch(heather: HttpPlayer) -> Request:
    table = Table.start(heather.player, "easy", rounds=1)
    table.resign("heather")
    return f"matches/{table.id}/rematch", {}


def act(heather: HttpPlayer) -> Request:
    table = Table.start(heather.player, "easy", leads="heather")
    return f"matches/{table.id}/moves", table.legal_action()[1]


def rotate_secret(heather: HttpPlayer) -> Request:
    webhook = heather.request("POST", *add_webhook(heather)).json()["id"]
    return f"me/webhooks/{webhook}/secret", {}


def renew_bot_token(heather: HttpPlayer) -> Request:
    heather.request("POST", "me/bots", {"username": "robot"})
    return "me/bots/ROBOT/token", {}


def add_webhook(_: HttpPlayer) -> Request:
    return "me/webhooks", {"url": "https://bots.example/hook"}


def fixed(path: str, **body: Any) -> Callable[[HttpPlayer], Request]:
    return lambda _: (path, body)


# A request for each operation, and the `Location` that it leads to.
REQUESTS: Final[dict[str, tuple[Callable[[HttpPlayer], Request], str]]] = {
    "enterAsGuest": (fixed("auth/guest"), "/me"),
    "register": (fixed("auth/register", username="new", password=PASSWORD), "/me"),
    "logIn": (fixed("auth/token", username="heather", password=PASSWORD), "/me"),
    "issueTicket": (fixed("auth/ticket"), "/me/events"),
    "undoEmailChange": (undo, "/auth/password/confirm"),
    "setUpSecondFactor": (fixed("me/second-factor"), "/me/second-factor"),
    "createToken": (fixed("me/tokens", name="program", scopes=["matches:read"]), "/me/tokens/(id)"),
    "createBot": (fixed("me/bots", username="robot"), "/players/robot"),
    "renewBotToken": (renew_bot_token, "/players/robot"),
    "createApp": (fixed("me/apps", name="Reader", redirect_uris=["https://a.example/"]), "/me/apps/(id)"),
    "createMatch": (fixed("matches", ruleset="classic"), "/matches/(id)"),
    "askForRematch": (rematch, "/matches/(id)"),
    "act": (act, "/matches/m_[0-9a-z]+"),
    "createWebhook": (add_webhook, "/me/webhooks/(id)"),
    "exchangeWebhookSecret": (rotate_secret, "/me/webhooks/(id)"),
    "addDevice": (fixed("me/devices", **push_subscription("phone")), "/me/devices/(id)"),
}


@pytest.fixture
def heather(database: str) -> HttpPlayer:
    return HttpPlayer.log_in(player=make_person("heather", email="heather@example.org", email_confirmed=True))


def test_every_operation_that_creates_declares_a_location() -> None:
    assert {name for name, response in CREATED.items() if "Location" not in response["headers"]} == set()
    assert REQUESTS.keys() == CREATED.keys()


@pytest.mark.parametrize("name", REQUESTS)
def test_the_location_leads_to_what_was_created(heather: HttpPlayer, name: str) -> None:
    prepare, expected = REQUESTS[name]
    path, body = prepare(heather)
    response = heather.request("POST", path, body)
    assert response.status_code == 201, response.content
    location, created = response["Location"], response.json()
    assert re.fullmatch(expected.replace("(id)", str(created.get("id"))), location.removeprefix("/api/v1"))
    if expected == "/me":
        heather = HttpPlayer(created["token"])
    if find_operation("GET", location) is not None:
        assert heather.request("GET", location.removeprefix("/api/v1/")).status_code == 200
    else:
        assert find_operation("DELETE", location) or find_operation("POST", location)


@pytest.mark.parametrize("name", ("act", "createMatch", "addDevice"))
def test_a_repeated_response_has_the_same_location(heather: HttpPlayer, name: str) -> None:
    path, body = REQUESTS[name][0](heather)
    first, second = (heather.request("POST", path, body, **{"Idempotency-Key": "twice"}) for _ in range(2))
    assert second["Idempotency-Replayed"] == "true"
    assert (second.status_code, second["Location"]) == (201, first["Location"])
