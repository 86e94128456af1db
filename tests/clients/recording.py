"""Record the examples of the contract from the responses of a real server: `make examples`.

The first successful response of each operation is recorded, or a later one that fills an empty list, and the
first response with each error code. Secrets are masked.
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
from tests.support.receiver import push_subscription
from tests.support.totp import totp_code
from tools.build_clients import CONTRACT, ROOT

Json = Any
RECORDED: Final = ROOT / "games" / "api" / "schema" / "recorded.json"
PASSWORD: Final = "a heap of heather"
_SECRET: Final = re.compile(r"(haggis_|whsec_|ticket_)[A-Za-z0-9+/=_-]{16,}")
_TOTP_KEY: Final = re.compile(r"\b[A-Z2-7]{32}\b")
_RECOVERY_CODE: Final = re.compile(r'"[a-z2-7]{4}(-[a-z2-7]{4}){3}"')
_FIRST_ERROR_STATUS: Final = 400
MAX_MATCHES: Final = 20
CARETAKER_TIMEOUT_SECONDS: Final = 60


@dataclass
class Recorder:
    """Sends requests by operation id and records the responses."""

    site: str
    examples: dict[str, Json] = field(default_factory=lambda: {"operations": {}, "problems": {}})

    def __post_init__(self) -> None:
        paths = json.loads(CONTRACT.read_text(encoding="utf-8"))["paths"]
        self.routes = {
            operation["operationId"]: (method.upper(), path)
            for path, methods in paths.items()
            for method, operation in methods.items()
        }

    def call(self, name: str, token: str = "", body: Json = None, query: str = "", **parts: Json) -> Json:
        """Call an operation and return its response, also if it failed; skip unknown operations."""
        if name not in self.routes:
            return None
        method, path = self.routes[name]
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(  # noqa: S310 -- a local server
            f"{self.site}{path.format(**parts)}{query}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers=headers,
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310 -- a local server
                return self._store(name, body, response.status, response.read())
        except urllib.error.HTTPError as error:
            return self._store(name, body, error.code, error.read())

    def _store(self, name: str, sent: Json, status: int, content: bytes) -> Json:
        response: Json = json.loads(content) if content else None
        if status >= _FIRST_ERROR_STATUS:
            self.examples["problems"].setdefault(response["code"], mask_secrets(response))
            return response
        examples = self.examples["operations"].setdefault(name, {"answers": {}})
        if sent is not None and not examples.get("body"):
            examples["body"] = mask_secrets(sent)
        if response is not None and is_more_complete(response, examples["answers"].get(str(status))):
            examples["answers"][str(status)] = mask_secrets(response)
        return response

    def show(self, name: str, body: Json, answers: Json = None) -> None:
        """Record a body, and perhaps responses, for operations that need a token from a mail."""
        self.examples["operations"][name] = {"answers": answers or {}, "body": body}


def is_more_complete(response: Json, view: Json) -> bool:
    """Return whether a response shows more than the recorded one: the first, or fewer empty lists."""
    if not view:
        return view is None
    return any(view[name] == [] and each for name, each in response.items())


def mask_secrets(value: Json) -> Json:
    """Mask secrets and replace the address of the server."""
    text = _SECRET.sub(lambda found: found[1] + "0" * 24, json.dumps(value))
    text = _TOTP_KEY.sub("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", text)
    text = _RECOVERY_CODE.sub('"abcd-efgh-ijkl-mnop"', text)
    return json.loads(re.sub(r"http://127\.0\.0\.1:\d+", "http://127.0.0.1:8000", text))


def register(api: Recorder, name: str) -> str:
    """Register a player; return the token."""
    body = {"username": name, "password": PASSWORD}
    return str(api.call("register", body=body)["token"])


def accounts(api: Recorder) -> str:
    """Call the operations of accounts; return the token of a player."""
    guest = api.call("enterAsGuest", body={"display_name": "Heather"})["token"]
    api.call("claimAccount", guest, {"username": "heather", "password": PASSWORD})
    api.call("claimAccount", guest, {"username": "heather", "password": PASSWORD})
    api.call("register", body={"username": "Heather", "password": PASSWORD})
    api.call("register", body={"username": "x", "password": "1", "colour": "red"})
    api.call("logIn", body={"username": "heather", "password": "wrong"})
    token = str(api.call("logIn", body={"username": "heather", "password": PASSWORD})["token"])
    api.call("readMe", token)
    api.call("readMe")
    api.call("changeMe", token, {"display_name": "Heather", "time_zone": "Europe/London"})
    api.call("readPlayer", username="heather")
    api.call("readPlayer", username="nobody-of-that-name")
    reading = {"name": "a dashboard", "scopes": ["matches:read"]}
    weak = api.call("createToken", token, reading)["token"]
    api.call("changeMe", weak, {"display_name": "?"})
    api.call("listTokens", token, query="?limit=2")
    api.call("listTokens", token, query="?limit=0")
    api.call("createBot", token, {"username": "heather-bot"})
    api.call("listBots", token)
    api.call("renewBotToken", token, {}, username="heather-bot")
    api.call("issueTicket", token, {})
    api.call("reauthenticate", token, {"password": PASSWORD})
    api.call("listSessions", token)
    api.call("readSecondFactor", token)
    key = api.call("setUpSecondFactor", token, {})["secret"]
    api.call("setUpSecondFactor", token, {"code": "000000"})
    api.call("setUpSecondFactor", token, {"code": totp_code(key)})
    api.call("logIn", body={"username": "heather", "password": PASSWORD})
    api.call("removeSecondFactor", token)
    api.show("undoEmailChange", {"token": "from-the-mail"}, {"201": {"reset_token": "for-a-new-password"}})
    api.call("createWebhook", token, {"url": "https://example.org/haggis", "types": ["your_turn"]})
    webhook = (api.call("listWebhooks", token)["results"] or [{"id": "wh_0"}])[0]["id"]
    api.call("readWebhook", token, webhook_id=webhook)
    api.call("changeWebhook", token, {"description": "my bot"}, webhook_id=webhook)
    api.call("exchangeWebhookSecret", token, {"overlap_seconds": 3600}, webhook_id=webhook)
    delivery = api.call("testWebhook", token, {}, webhook_id=webhook).get("id", "0")
    api.call("listDeliveries", token, webhook_id=webhook)
    api.call("redeliver", token, {}, webhook_id=webhook, delivery_id=delivery)
    api.call("readPushKey")
    device = api.call("addDevice", token, {**push_subscription("heathers"), "name": "my phone"})["id"]
    api.call("listDevices", token)
    api.call("testDevice", token, {}, device_id=device)
    api.call("followMyTables", token)
    api.call("askForPasswordReset", body={"username": "heather"})
    api.show("resetPassword", {"token": "from-the-mail", "password": PASSWORD})
    api.show("confirmEmail", {"token": "from-the-mail"})
    api.call("changePassword", token, {"current_password": PASSWORD, "password": f"another {PASSWORD}"})
    return token


def lobby(api: Recorder, heather: str, bracken: str) -> None:
    """Call the operations of matches before their start."""
    api.call("listRulesets", query="?limit=1")
    api.call("readRuleset", key="classic")
    api.call("readCards", key="classic", body={"players": 2, "cards": ["3r", "J", "Q"]})
    request_body = {
        "ruleset": "classic",
        "seats": [{"kind": "me"}, {"kind": "player", "username": "bracken"}],
    }
    match = api.call("createMatch", heather, request_body)["id"]
    api.call("listInvitations", bracken)
    api.call("joinMatch", heather, {}, match_id=match)
    api.call("act", heather, {"version": 1, "type": "pass"}, match_id=match)
    api.call("declineInvitation", bracken, {"reason": "next week"}, match_id=match)
    api.call("refillSeat", heather, {"kind": "player", "username": "bracken"}, match_id=match, number=1)
    api.call("acceptInvitation", bracken, {"client_seed": "salt"}, match_id=match)
    pauses_and_vacations(api, heather, bracken, match)
    api.call("resign", bracken, {}, match_id=match)
    api.call("askForRematch", heather, {}, match_id=match)
    api.call("askForRematch", bracken, {}, match_id=match)
    match_on_hold = api.call("createMatch", heather, {"ruleset": "classic", "hold": True})["id"]
    api.call("startMatch", heather, {}, match_id=match_on_hold)
    api.call("listMatches", query="?limit=1")
    api.call("listPlayersMatches", username="heather", query="?limit=1")
    api.call("joinMatch", bracken, {}, match_id=match_on_hold)
    api.call("leaveMatch", bracken, {}, match_id=match_on_hold)
    api.call("joinMatch", bracken, {}, match_id=match_on_hold)
    api.call("startMatch", heather, {"client_seed": "given after the anchor"}, match_id=match_on_hold)
    api.call("cancelMatch", heather, {}, match_id=match_on_hold)
    other = api.call("createMatch", heather, {"ruleset": "deluxe"})["id"]
    api.call("cancelMatch", heather, {}, match_id=other)


def create_match_with_short_turns(api: Recorder, heather: str, bracken: str) -> str:
    """Create a match in which the first late player is replaced by a caretaker."""
    clock = {"turn_seconds": 10, "timeouts_allowed": 0}
    match = api.call("createMatch", heather, {"ruleset": "classic", **clock})["id"]
    api.call("joinMatch", bracken, {"client_seed": "salt"}, match_id=match)
    return str(match)


def reclaim_late_seat(api: Recorder, heather: str, bracken: str, match: str) -> None:
    """Take the seat back from the caretaker."""
    for _ in range(CARETAKER_TIMEOUT_SECONDS):
        for token in (heather, bracken):
            if "code" not in api.call("reclaimSeat", token, {}, match_id=match):
                return
        time.sleep(1)
    raise AssertionError("no caretaker came")


def pauses_and_vacations(api: Recorder, heather: str, bracken: str, match: str) -> None:
    """Call the operations of pauses and vacations."""
    until = (datetime.now(UTC) + timedelta(days=3)).isoformat(timespec="seconds").replace("+00:00", "Z")
    api.call("listClocks")
    api.call("goOnVacation", heather, {"until": until})
    api.call("readVacation", heather)
    api.call("comeBack", heather)
    api.call("askForPause", heather, {}, match_id=match)
    api.call("withdrawPause", heather, match_id=match)
    for name in ("askForPause", "askToResume", "reclaimSeat"):
        for token in (heather, bracken):
            api.call(name, token, {}, match_id=match)


def play_match(api: Recorder, heather: str) -> None:
    """Play a whole match against an AI."""
    seats = [{"kind": "me"}, {"kind": "ai", "level": "easy"}]
    request_body = {"ruleset": "classic", "seats": seats, "rounds": 1, "client_seed": "salt", "hints": True}
    match = api.call("createMatch", heather, request_body)["id"]
    api.call("listMyMatches", heather)
    view: Json = {"status": "active"}
    while view["status"] == "active":
        view = api.call("readMatch", heather, match_id=match)
        if view["status"] == "active" and view["you"]["to_act"]:
            take_turn(api, heather, view)
        else:
            api.call("listLegalMoves", heather, match_id=match)
            time.sleep(0.1)
    api.call("act", heather, {"version": view["version"], "type": "pass"}, match_id=match)
    api.call("listLog", query="?limit=3&after=1", match_id=match)
    api.call("listRounds", match_id=match)
    api.call("readRound", match_id=match, number=1)
    record = api.call("readRecord", match_id=match)
    api.call("verifyRecord", body={"record": record})
    verification = api.call("verifyRecord", body={"record": {**record, "rounds": record["rounds"] * 100}})
    while api.call("readVerification", verification_id=verification["id"])["verdict"] is None:
        time.sleep(1)
    api.call("startAnalysis", heather, {}, match_id=match)
    while api.call("readAnalysis", heather, match_id=match)["status"] == "running":
        time.sleep(1)


def play_until_ambiguous(api: Recorder, heather: str) -> None:
    """Play matches against an AI until one begins with an ambiguous play."""
    for _ in range(MAX_MATCHES):
        play_match(api, heather)
        if "ambiguous_combination" in api.examples["problems"]:
            return
    raise AssertionError("no ambiguous play was led")


def take_turn(api: Recorder, heather: str, view: Json) -> None:
    """Take one turn and call the operations that belong to it."""
    match, version = view["id"], view["version"]
    legal = api.call("listLegalMoves", heather, query="?width=1", match_id=match)
    hand = view["round"]["hands"][view["you"]["seat"]]["cards"]
    api.call("checkCards", heather, {"cards": hand[:1]}, match_id=match)
    api.call("readHint", heather, match_id=match)
    api.call("act", heather, {"version": version - 1, "type": "pass"}, match_id=match)
    api.call("act", heather, {"version": version, "type": "bet", "amount": 7}, match_id=match)
    api.call("act", heather, {"version": version, "type": "play", "cards": ["2r", "9g"]}, match_id=match)
    api.call("act", heather, {"version": version, "type": "play", "cards": hand[:3]}, match_id=match)
    if (
        "ambiguous_combination" not in api.examples["problems"]
        and {"J", "Q"} <= set(hand)
        and not legal["can_pass"]
    ):
        api.call(
            "act", heather, {"version": version, "type": "play", "cards": [hand[0], "J", "Q"]}, match_id=match
        )
    body: Json = {"version": version, "type": "pass"}
    api.call("giveStandingOrder", heather, {}, match_id=match)
    api.call("withdrawStandingOrder", heather, match_id=match)
    if legal["combinations"]:
        play = legal["combinations"][0]
        named = {name: play["combination"][name] for name in ("kind", "top", "width", "length")}
        body = {"version": version, "type": "play", "cards": play["cheapest"], "as": named}
    elif not legal["can_pass"]:
        body = {"version": version, "type": "play", "cards": [hand[0]]}
    api.call("act", heather, body, match_id=match)


def record(site: str) -> Json:
    """Call all operations; return the examples."""
    api = Recorder(site)
    heather, bracken = accounts(api), register(api, "bracken")
    match = create_match_with_short_turns(api, heather, bracken)
    lobby(api, heather, bracken)
    play_until_ambiguous(api, heather)
    reclaim_late_seat(api, heather, bracken, match)
    return api.examples


def main() -> None:
    """Write the examples."""
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder)) as site:
        examples = record(site)
    RECORDED.write_text(
        json.dumps(examples, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
