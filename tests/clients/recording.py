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

from tests.clients.serving import served
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
    kept: dict[str, Json] = field(default_factory=lambda: {"operations": {}, "problems": {}})

    def __post_init__(self) -> None:
        paths = json.loads(CONTRACT.read_text(encoding="utf-8"))["paths"]
        self.routes = {
            operation["operationId"]: (method.upper(), path)
            for path, methods in paths.items()
            for method, operation in methods.items()
        }

    def ask(self, name: str, token: str = "", body: Json = None, query: str = "", **parts: Json) -> Json:
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
                return self._keep(name, body, answer.status, answer.read())
        except urllib.error.HTTPError as refusal:
            return self._keep(name, body, refusal.code, refusal.read())

    def _keep(self, name: str, sent: Json, status: int, content: bytes) -> Json:
        answer: Json = json.loads(content) if content else None
        if status >= _FIRST_REFUSAL:
            self.kept["problems"].setdefault(answer["code"], masked(answer))
            return answer
        kept = self.kept["operations"].setdefault(name, {"answers": {}})
        if sent is not None and not kept.get("body"):
            kept["body"] = masked(sent)
        if answer is not None and fills(answer, kept["answers"].get(str(status))):
            kept["answers"][str(status)] = masked(answer)
        return answer

    def show(self, name: str, body: Json) -> None:
        """What is sent, where no good answer is to be had and none has a body: the token came by mail."""
        self.kept["operations"][name] = {"answers": {}, "body": body}


def fills(answer: Json, shown: Json) -> bool:
    """Whether an answer shows more than the one that is kept: there is none, or a list was empty in it."""
    if not shown:
        return shown is None
    return any(shown[name] == [] and each for name, each in answer.items())


def masked(value: Json) -> Json:
    """The same without secrets, and with the usual address."""
    text = _SECRET.sub(lambda found: found[1] + "0" * 24, json.dumps(value))
    return json.loads(re.sub(r"http://127\.0\.0\.1:\d+", "http://127.0.0.1:8000", text))


def enter(ask: Recorder, name: str) -> str:
    """Somebody with an account; their token."""
    body = {"username": name, "password": PASSWORD}
    return str(ask.ask("register", body=body)["token"])


def accounts(ask: Recorder) -> str:
    """Everything about accounts; the token of a player who stays."""
    guest = ask.ask("enterAsGuest", body={"display_name": "Heather"})["token"]
    ask.ask("claimAccount", guest, {"username": "heather", "password": PASSWORD})
    ask.ask("claimAccount", guest, {"username": "heather", "password": PASSWORD})
    ask.ask("register", body={"username": "Heather", "password": PASSWORD})
    ask.ask("register", body={"username": "x", "password": "1", "colour": "red"})
    ask.ask("logIn", body={"username": "heather", "password": "wrong"})
    token = str(ask.ask("logIn", body={"username": "heather", "password": PASSWORD})["token"])
    ask.ask("readMe", token)
    ask.ask("readMe")
    ask.ask("changeMe", token, {"display_name": "Heather", "time_zone": "Europe/London"})
    ask.ask("readPlayer", username="heather")
    ask.ask("readPlayer", username="nobody-of-that-name")
    reading = {"name": "a dashboard", "scopes": ["matches:read"]}
    weak = ask.ask("createToken", token, reading)["token"]
    ask.ask("changeMe", weak, {"display_name": "?"})
    ask.ask("listTokens", token, query="?limit=2")
    ask.ask("listTokens", token, query="?limit=0")
    ask.ask("createBot", token, {"username": "heather-bot"})
    ask.ask("listBots", token)
    ask.ask("renewBotToken", token, {}, username="heather-bot")
    ask.ask("issueTicket", token, {})
    ask.ask("createWebhook", token, {"url": "https://example.org/haggis", "types": ["your_turn"]})
    webhook = (ask.ask("listWebhooks", token)["results"] or [{"id": "wh_0"}])[0]["id"]
    ask.ask("readWebhook", token, webhook_id=webhook)
    ask.ask("changeWebhook", token, {"description": "my bot"}, webhook_id=webhook)
    ask.ask("exchangeWebhookSecret", token, {"overlap_seconds": 3600}, webhook_id=webhook)
    delivery = ask.ask("testWebhook", token, {}, webhook_id=webhook).get("id", "0")
    ask.ask("listDeliveries", token, webhook_id=webhook)
    ask.ask("redeliver", token, {}, webhook_id=webhook, delivery_id=delivery)
    ask.ask("readPushKey")
    device = ask.ask("addDevice", token, {**subscription("heathers"), "name": "my phone"})["id"]
    ask.ask("listDevices", token)
    ask.ask("testDevice", token, {}, device_id=device)
    ask.ask("followMyTables", token)
    ask.ask("askForPasswordReset", body={"username": "heather"})
    ask.show("resetPassword", {"token": "from-the-mail", "password": PASSWORD})
    ask.show("confirmEmail", {"token": "from-the-mail"})
    ask.ask("changePassword", token, {"current_password": PASSWORD, "password": f"another {PASSWORD}"})
    return token


def lobby(ask: Recorder, heather: str, bracken: str) -> None:
    """Matches before their start."""
    ask.ask("listRulesets", query="?limit=1")
    ask.ask("readRuleset", key="classic")
    ask.ask("readCards", key="classic", body={"players": 2, "cards": ["3r", "J", "Q"]})
    asked = {"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "player", "username": "bracken"}]}
    match = ask.ask("createMatch", heather, asked)["id"]
    ask.ask("listInvitations", bracken)
    ask.ask("joinMatch", heather, {}, match_id=match)
    ask.ask("act", heather, {"version": 1, "type": "pass"}, match_id=match)
    ask.ask("declineInvitation", bracken, {"reason": "next week"}, match_id=match)
    ask.ask("refillSeat", heather, {"kind": "player", "username": "bracken"}, match_id=match, number=1)
    ask.ask("acceptInvitation", bracken, {"client_seed": "salt"}, match_id=match)
    with_clock(ask, heather, bracken, match)
    ask.ask("resign", bracken, {}, match_id=match)
    ask.ask("askForRematch", heather, {}, match_id=match)
    ask.ask("askForRematch", bracken, {}, match_id=match)
    held = ask.ask("createMatch", heather, {"ruleset": "classic", "hold": True})["id"]
    ask.ask("startMatch", heather, {}, match_id=held)
    ask.ask("listMatches", query="?limit=1")
    ask.ask("listPlayersMatches", username="heather", query="?limit=1")
    ask.ask("joinMatch", bracken, {}, match_id=held)
    ask.ask("leaveMatch", bracken, {}, match_id=held)
    ask.ask("joinMatch", bracken, {}, match_id=held)
    ask.ask("startMatch", heather, {"client_seed": "given after the anchor"}, match_id=held)
    ask.ask("cancelMatch", heather, {}, match_id=held)
    other = ask.ask("createMatch", heather, {"ruleset": "deluxe"})["id"]
    ask.ask("cancelMatch", heather, {}, match_id=other)


def hurried(ask: Recorder, heather: str, bracken: str) -> str:
    """A match in which whoever is late once is played for."""
    clock = {"turn_seconds": 10, "timeouts_allowed": 0}
    match = ask.ask("createMatch", heather, {"ruleset": "classic", **clock})["id"]
    ask.ask("joinMatch", bracken, {"client_seed": "salt"}, match_id=match)
    return str(match)


def late(ask: Recorder, heather: str, bracken: str, match: str) -> None:
    """The seat that was not played in time, taken back."""
    for _ in range(SECONDS_TO_BE_LATE):
        for token in (heather, bracken):
            if "code" not in ask.ask("reclaimSeat", token, {}, match_id=match):
                return
        time.sleep(1)
    raise AssertionError("no caretaker came")


def with_clock(ask: Recorder, heather: str, bracken: str, match: str) -> None:
    """A pause by consent, a vacation, and a seat that no caretaker holds."""
    until = (datetime.now(UTC) + timedelta(days=3)).isoformat(timespec="seconds").replace("+00:00", "Z")
    ask.ask("listClocks")
    ask.ask("goOnVacation", heather, {"until": until})
    ask.ask("readVacation", heather)
    ask.ask("comeBack", heather)
    ask.ask("askForPause", heather, {}, match_id=match)
    ask.ask("withdrawPause", heather, match_id=match)
    for name in ("askForPause", "askToResume", "reclaimSeat"):
        for token in (heather, bracken):
            ask.ask(name, token, {}, match_id=match)


def table(ask: Recorder, heather: str) -> None:
    """A whole match against an AI."""
    seats = [{"kind": "me"}, {"kind": "ai", "level": "easy"}]
    asked = {"ruleset": "classic", "seats": seats, "rounds": 1, "client_seed": "salt", "hints": True}
    match = ask.ask("createMatch", heather, asked)["id"]
    ask.ask("listMyMatches", heather)
    shown: Json = {"status": "active"}
    while shown["status"] == "active":
        shown = ask.ask("readMatch", heather, match_id=match)
        if shown["status"] == "active" and shown["you"]["to_act"]:
            turn(ask, heather, shown)
        else:
            ask.ask("listLegalMoves", heather, match_id=match)
            time.sleep(0.1)
    ask.ask("act", heather, {"version": shown["version"], "type": "pass"}, match_id=match)
    ask.ask("listLog", query="?limit=3&after=1", match_id=match)
    ask.ask("listRounds", match_id=match)
    ask.ask("readRound", match_id=match, number=1)
    record = ask.ask("readRecord", match_id=match)
    ask.ask("verifyRecord", body={"record": record})
    ask.ask("startAnalysis", heather, {}, match_id=match)
    while ask.ask("readAnalysis", heather, match_id=match)["status"] == "running":
        time.sleep(1)


def matches(ask: Recorder, heather: str) -> None:
    """Matches against an AI, until one led with cards that could be several things."""
    for _ in range(MOST_MATCHES):
        table(ask, heather)
        if "ambiguous_combination" in ask.kept["problems"]:
            return
    raise AssertionError("nothing ambiguous was led")


def turn(ask: Recorder, heather: str, shown: Json) -> None:
    """One turn, and what may be asked in it."""
    match, version = shown["id"], shown["version"]
    legal = ask.ask("listLegalMoves", heather, query="?width=1", match_id=match)
    hand = shown["round"]["hands"][shown["you"]["seat"]]["cards"]
    ask.ask("checkCards", heather, {"cards": hand[:1]}, match_id=match)
    ask.ask("readHint", heather, match_id=match)
    ask.ask("act", heather, {"version": version - 1, "type": "pass"}, match_id=match)
    ask.ask("act", heather, {"version": version, "type": "bet", "amount": 7}, match_id=match)
    ask.ask("act", heather, {"version": version, "type": "play", "cards": ["2r", "9g"]}, match_id=match)
    ask.ask("act", heather, {"version": version, "type": "play", "cards": hand[:3]}, match_id=match)
    if (
        "ambiguous_combination" not in ask.kept["problems"]
        and {"J", "Q"} <= set(hand)
        and not legal["can_pass"]
    ):
        ask.ask(
            "act", heather, {"version": version, "type": "play", "cards": [hand[0], "J", "Q"]}, match_id=match
        )
    body: Json = {"version": version, "type": "pass"}
    ask.ask("giveStandingOrder", heather, {}, match_id=match)
    ask.ask("withdrawStandingOrder", heather, match_id=match)
    if legal["combinations"]:
        play = legal["combinations"][0]
        named = {name: play["combination"][name] for name in ("kind", "top", "width", "length")}
        body = {"version": version, "type": "play", "cards": play["cheapest"], "as": named}
    elif not legal["can_pass"]:
        body = {"version": version, "type": "play", "cards": [hand[0]]}
    ask.ask("act", heather, body, match_id=match)


def record(site: str) -> Json:
    """Play the scene; everything that was kept of it."""
    ask = Recorder(site)
    heather, bracken = accounts(ask), enter(ask, "bracken")
    match = hurried(ask, heather, bracken)
    lobby(ask, heather, bracken)
    matches(ask, heather)
    late(ask, heather, bracken, match)
    return ask.kept


def main() -> None:
    """Write the examples anew."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as site:
        kept = record(site)
    RECORDED.write_text(
        json.dumps(kept, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
