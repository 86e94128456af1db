"""Examples for the contract, taken from the answers of a real server: `make examples` plays this scene anew.

The first good answer of each operation is kept, unless a list was empty in it that another one fills, and
the first refusal with each code. Secrets are masked.
"""

import json
import re
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from tests.clients.serving import running_server
from tests.games.api.push.subscriptions import subscription
from tools.build_clients import CONTRACT, ROOT

Json = Any
RECORDED: Final = ROOT / "games" / "api" / "schema" / "recorded.json"
PASSWORD: Final = "a heap of heather"
_SECRET: Final = re.compile(r"(haggis_|whsec_|ticket_)[A-Za-z0-9+/=_-]{16,}")
_FIRST_REFUSAL: Final = 400
MOST_MATCHES: Final = 20
SECONDS_TO_BE_LATE: Final = 60


@dataclass
class Recorder:
    """Asks by the names of operations, and keeps what is worth it."""

    site: str
    examples: dict[str, Json] = field(default_factory=lambda: {"operations": {}, "problems": {}})

    def __post_init__(self) -> None:
        paths = json.loads(CONTRACT.read_text(encoding="utf-8"))["paths"]
        self.routes = {
            operation["operationId"]: (method.upper(), path)
            for path, methods in paths.items()
            for method, operation in methods.items()
        }

    def api(self, name: str, token: str = "", body: Json = None, query: str = "", **parts: Json) -> Json:
        """The answer of an operation, good or bad; none of one that the contract does not have."""
        if name not in self.routes:
            return None
        method, path = self.routes[name]
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(  # noqa: S310 -- our own
            f"{self.site}{path.format(**parts)}{query}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers=headers,
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 -- our own
                return self._store(name, body, answer.status, answer.read())
        except urllib.error.HTTPError as refusal:
            return self._store(name, body, refusal.code, refusal.read())

    def _store(self, name: str, sent: Json, status: int, content: bytes) -> Json:
        answer: Json = json.loads(content) if content else None
        if status >= _FIRST_REFUSAL:
            self.examples["problems"].setdefault(answer["code"], mask_secrets(answer))
            return answer
        examples = self.examples["operations"].setdefault(name, {"answers": {}})
        if sent is not None and not examples.get("body"):
            examples["body"] = mask_secrets(sent)
        if answer is not None and is_more_complete(answer, examples["answers"].get(str(status))):
            examples["answers"][str(status)] = mask_secrets(answer)
        return answer

    def show(self, name: str, body: Json) -> None:
        """What is sent, where no good answer is to be had and none has a body: the token came by mail."""
        self.examples["operations"][name] = {"answers": {}, "body": body}


def is_more_complete(answer: Json, view: Json) -> bool:
    """Whether an answer shows more than the one that is kept: there is none, or a list was empty in it."""
    if not view:
        return view is None
    return any(view[name] == [] and each for name, each in answer.items())


def mask_secrets(value: Json) -> Json:
    """The same without secrets, and with the usual address."""
    text = _SECRET.sub(lambda found: found[1] + "0" * 24, json.dumps(value))
    return json.loads(re.sub(r"http://127\.0\.0\.1:\d+", "http://127.0.0.1:8000", text))


def register(api: Recorder, name: str) -> str:
    """Somebody with an account; their token."""
    body = {"username": name, "password": PASSWORD}
    return str(api.api("register", body=body)["token"])


def accounts(api: Recorder) -> str:
    """Everything about accounts; the token of a player who stays."""
    guest = api.api("enterAsGuest", body={"display_name": "Heather"})["token"]
    api.api("claimAccount", guest, {"username": "heather", "password": PASSWORD})
    api.api("claimAccount", guest, {"username": "heather", "password": PASSWORD})
    api.api("register", body={"username": "Heather", "password": PASSWORD})
    api.api("register", body={"username": "x", "password": "1", "colour": "red"})
    api.api("logIn", body={"username": "heather", "password": "wrong"})
    token = str(api.api("logIn", body={"username": "heather", "password": PASSWORD})["token"])
    api.api("readMe", token)
    api.api("readMe")
    api.api("changeMe", token, {"display_name": "Heather", "time_zone": "Europe/London"})
    api.api("readPlayer", username="heather")
    api.api("readPlayer", username="nobody-of-that-name")
    reading = {"name": "a dashboard", "scopes": ["matches:read"]}
    weak = api.api("createToken", token, reading)["token"]
    api.api("changeMe", weak, {"display_name": "?"})
    api.api("listTokens", token, query="?limit=2")
    api.api("listTokens", token, query="?limit=0")
    api.api("createBot", token, {"username": "heather-bot"})
    api.api("listBots", token)
    api.api("renewBotToken", token, {}, username="heather-bot")
    api.api("issueTicket", token, {})
    api.api("createWebhook", token, {"url": "https://example.org/haggis", "types": ["your_turn"]})
    webhook = (api.api("listWebhooks", token)["results"] or [{"id": "wh_0"}])[0]["id"]
    api.api("readWebhook", token, webhook_id=webhook)
    api.api("changeWebhook", token, {"description": "my bot"}, webhook_id=webhook)
    api.api("exchangeWebhookSecret", token, {"overlap_seconds": 3600}, webhook_id=webhook)
    delivery = api.api("testWebhook", token, {}, webhook_id=webhook).get("id", "0")
    api.api("listDeliveries", token, webhook_id=webhook)
    api.api("redeliver", token, {}, webhook_id=webhook, delivery_id=delivery)
    api.api("readPushKey")
    device = api.api("addDevice", token, {**subscription("heathers"), "name": "my phone"})["id"]
    api.api("listDevices", token)
    api.api("testDevice", token, {}, device_id=device)
    api.api("followMyTables", token)
    api.api("askForPasswordReset", body={"username": "heather"})
    api.show("resetPassword", {"token": "from-the-mail", "password": PASSWORD})
    api.show("confirmEmail", {"token": "from-the-mail"})
    api.api("changePassword", token, {"current_password": PASSWORD, "password": f"another {PASSWORD}"})
    return token


def lobby(api: Recorder, heather: str, bracken: str) -> None:
    """Matches before their start."""
    api.api("listRulesets", query="?limit=1")
    api.api("readRuleset", key="classic")
    api.api("readCards", key="classic", body={"players": 2, "cards": ["3r", "J", "Q"]})
    request_body = {
        "ruleset": "classic",
        "seats": [{"kind": "me"}, {"kind": "player", "username": "bracken"}],
    }
    match = api.api("createMatch", heather, request_body)["id"]
    api.api("listInvitations", bracken)
    api.api("joinMatch", heather, {}, match_id=match)
    api.api("act", heather, {"version": 1, "type": "pass"}, match_id=match)
    api.api("declineInvitation", bracken, {"reason": "next week"}, match_id=match)
    api.api("refillSeat", heather, {"kind": "player", "username": "bracken"}, match_id=match, number=1)
    api.api("acceptInvitation", bracken, {"client_seed": "salt"}, match_id=match)
    pauses_and_vacations(api, heather, bracken, match)
    api.api("resign", bracken, {}, match_id=match)
    api.api("askForRematch", heather, {}, match_id=match)
    api.api("askForRematch", bracken, {}, match_id=match)
    match_on_hold = api.api("createMatch", heather, {"ruleset": "classic", "hold": True})["id"]
    api.api("startMatch", heather, {}, match_id=match_on_hold)
    api.api("listMatches", query="?limit=1")
    api.api("listPlayersMatches", username="heather", query="?limit=1")
    api.api("joinMatch", bracken, {}, match_id=match_on_hold)
    api.api("leaveMatch", bracken, {}, match_id=match_on_hold)
    api.api("joinMatch", bracken, {}, match_id=match_on_hold)
    api.api("startMatch", heather, {"client_seed": "given after the anchor"}, match_id=match_on_hold)
    api.api("cancelMatch", heather, {}, match_id=match_on_hold)
    other = api.api("createMatch", heather, {"ruleset": "deluxe"})["id"]
    api.api("cancelMatch", heather, {}, match_id=other)


def create_match_with_short_turns(api: Recorder, heather: str, bracken: str) -> str:
    """A match in which whoever is late once is played for."""
    clock = {"turn_seconds": 10, "timeouts_allowed": 0}
    match = api.api("createMatch", heather, {"ruleset": "classic", **clock})["id"]
    api.api("joinMatch", bracken, {"client_seed": "salt"}, match_id=match)
    return str(match)


def reclaim_late_seat(api: Recorder, heather: str, bracken: str, match: str) -> None:
    """The seat that was not played in time, taken back."""
    for _ in range(SECONDS_TO_BE_LATE):
        for token in (heather, bracken):
            if "code" not in api.api("reclaimSeat", token, {}, match_id=match):
                return
        time.sleep(1)
    raise AssertionError("no caretaker came")


def pauses_and_vacations(api: Recorder, heather: str, bracken: str, match: str) -> None:
    """A pause by consent, a vacation, and a seat that no caretaker holds."""
    until = (datetime.now(UTC) + timedelta(days=3)).isoformat(timespec="seconds").replace("+00:00", "Z")
    api.api("listClocks")
    api.api("goOnVacation", heather, {"until": until})
    api.api("readVacation", heather)
    api.api("comeBack", heather)
    api.api("askForPause", heather, {}, match_id=match)
    api.api("withdrawPause", heather, match_id=match)
    for name in ("askForPause", "askToResume", "reclaimSeat"):
        for token in (heather, bracken):
            api.api(name, token, {}, match_id=match)


def play_match(api: Recorder, heather: str) -> None:
    """A whole match against an AI."""
    seats = [{"kind": "me"}, {"kind": "ai", "level": "easy"}]
    request_body = {"ruleset": "classic", "seats": seats, "rounds": 1, "client_seed": "salt", "hints": True}
    match = api.api("createMatch", heather, request_body)["id"]
    api.api("listMyMatches", heather)
    view: Json = {"status": "active"}
    while view["status"] == "active":
        view = api.api("readMatch", heather, match_id=match)
        if view["status"] == "active" and view["you"]["to_act"]:
            take_turn(api, heather, view)
        else:
            api.api("listLegalMoves", heather, match_id=match)
            time.sleep(0.1)
    api.api("act", heather, {"version": view["version"], "type": "pass"}, match_id=match)
    api.api("listLog", query="?limit=3&after=1", match_id=match)
    api.api("listRounds", match_id=match)
    api.api("readRound", match_id=match, number=1)
    record = api.api("readRecord", match_id=match)
    api.api("verifyRecord", body={"record": record})
    api.api("startAnalysis", heather, {}, match_id=match)
    while api.api("readAnalysis", heather, match_id=match)["status"] == "running":
        time.sleep(1)


def play_until_ambiguous(api: Recorder, heather: str) -> None:
    """Matches against an AI, until one led with cards that could be several things."""
    for _ in range(MOST_MATCHES):
        play_match(api, heather)
        if "ambiguous_combination" in api.examples["problems"]:
            return
    raise AssertionError("nothing ambiguous was led")


def take_turn(api: Recorder, heather: str, view: Json) -> None:
    """One turn, and what may be asked in it."""
    match, version = view["id"], view["version"]
    legal = api.api("listLegalMoves", heather, query="?width=1", match_id=match)
    hand = view["round"]["hands"][view["you"]["seat"]]["cards"]
    api.api("checkCards", heather, {"cards": hand[:1]}, match_id=match)
    api.api("readHint", heather, match_id=match)
    api.api("act", heather, {"version": version - 1, "type": "pass"}, match_id=match)
    api.api("act", heather, {"version": version, "type": "bet", "amount": 7}, match_id=match)
    api.api("act", heather, {"version": version, "type": "play", "cards": ["2r", "9g"]}, match_id=match)
    api.api("act", heather, {"version": version, "type": "play", "cards": hand[:3]}, match_id=match)
    if (
        "ambiguous_combination" not in api.examples["problems"]
        and {"J", "Q"} <= set(hand)
        and not legal["can_pass"]
    ):
        api.api(
            "act", heather, {"version": version, "type": "play", "cards": [hand[0], "J", "Q"]}, match_id=match
        )
    body: Json = {"version": version, "type": "pass"}
    api.api("giveStandingOrder", heather, {}, match_id=match)
    api.api("withdrawStandingOrder", heather, match_id=match)
    if legal["combinations"]:
        play = legal["combinations"][0]
        named = {name: play["combination"][name] for name in ("kind", "top", "width", "length")}
        body = {"version": version, "type": "play", "cards": play["cheapest"], "as": named}
    elif not legal["can_pass"]:
        body = {"version": version, "type": "play", "cards": [hand[0]]}
    api.api("act", heather, body, match_id=match)


def record(site: str) -> Json:
    """Play the scene; everything that was kept of it."""
    api = Recorder(site)
    heather, bracken = accounts(api), register(api, "bracken")
    match = create_match_with_short_turns(api, heather, bracken)
    lobby(api, heather, bracken)
    play_until_ambiguous(api, heather)
    reclaim_late_seat(api, heather, bracken, match)
    return api.examples


def main() -> None:
    """Write the examples anew."""
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder)) as site:
        examples = record(site)
    RECORDED.write_text(
        json.dumps(examples, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
