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
from urllib.parse import urlencode

import httpx

from tests.clients.serving import running_server
from tests.support.receiver import push_subscription
from tests.support.totp import totp_code
from tools.build_clients import CONTRACT, ROOT

Json = Any
RECORDED: Final = ROOT / "games" / "api" / "schema" / "recorded.json"
PASSWORD: Final = "a heap of heather"
_SECRET: Final = re.compile(r"(haggis_|whsec_|ticket_)[A-Za-z0-9+/=_-]{16,}")
_TOTP_KEY: Final = re.compile(r"\b[A-Z2-7]{32}\b")
_QR_CODE: Final = re.compile(r'"M4 4\.5h1[^"]*"')
_RECOVERY_CODE: Final = re.compile(r'"[a-z2-7]{4}(-[a-z2-7]{4}){3}"')
_FIRST_ERROR_STATUS: Final = 400
INVITED_BRACKEN: Final = [{"kind": "me"}, {"kind": "player", "username": "bracken"}]
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
    text = _QR_CODE.sub('"M4 4.5h1M5 4.5h1M6 4.5h1"', text)
    text = _RECOVERY_CODE.sub('"abcd-efgh-ijkl-mnop"', text)
    return json.loads(re.sub(r"http://127\.0\.0\.1:\d+", "http://127.0.0.1:8000", text))


def register(api: Recorder, name: str) -> str:
    """Register a player; return the token."""
    body = {"username": name, "password": PASSWORD}
    return str(api.call("register", body=body)["token"])


def bots(api: Recorder, token: str) -> None:
    """Call the operations of bots, of the directory and of follows."""
    api.call("createBot", token, {"username": "heather-bot"})
    challenges = {
        "rulesets": ["classic"],
        "players": [2],
        "min_turn_seconds": None,
        "max_turn_seconds": 86400,
        "without_clock": False,
        "opponents": "any",
        "rated": False,
        "at_once": 20,
        "auto_accept": True,
    }
    api.call("changeBot", token, {"challenges": challenges}, username="heather-bot")
    seats = [{"kind": "me"}, {"kind": "player", "username": "heather-bot"}]
    api.call("createMatch", token, {"ruleset": "deluxe", "seats": seats})
    api.call("listBots", token)
    api.call("listPlayers", query="?kind=bot")
    api.call("followPlayer", token, {}, username="heather-bot")
    api.call("listFollows", token)
    api.call("readRelation", token, username="heather-bot")
    api.call("unfollowPlayer", token, username="heather-bot")
    api.call("renewBotToken", token, {}, username="heather-bot")


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
    api.call("changeMe", token, {"display_name": "Heather", "time_zone": "Europe/London", "language": "en"})
    api.call("readPlayer", username="heather")
    api.show("acknowledgeNotice", {})
    api.call("readPlayer", username="nobody-of-that-name")
    reading = {"name": "a dashboard", "scopes": ["matches:read"]}
    weak = api.call("createToken", token, reading)["token"]
    api.call("changeMe", weak, {"display_name": "?"})
    api.call("listTokens", token, query="?limit=2")
    api.call("listTokens", token, query="?limit=0")
    apps(api, token)
    bots(api, token)
    api.call("issueTicket", token, {})
    api.call("reauthenticate", token, {"password": PASSWORD})
    request_archive(api, token)
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
    notifications(api, token)
    api.call("followMyTables", token)
    api.call("askForPasswordReset", body={"username": "heather"})
    api.show("resetPassword", {"token": "from-the-mail", "password": PASSWORD})
    api.show("confirmEmail", {"token": "from-the-mail"})
    api.call("changePassword", token, {"current_password": PASSWORD, "password": f"another {PASSWORD}"})
    return token


def request_archive(api: Recorder, token: str) -> None:
    """Request the archive of the player, and wait for it."""
    api.call("requestMyExport", token, {})
    while api.call("readMyExport", token)["status"] == "pending":
        time.sleep(1)


def apps(api: Recorder, token: str) -> None:
    """Call the operations of apps and authorizations."""
    address = "https://app.example.com/callback"
    app = api.call("createApp", token, {"name": "Card Reader", "redirect_uris": [address]})["id"]
    api.call("listApps", token)
    api.call("changeApp", token, {"website": "https://app.example.com/"}, app_id=app)
    api.call("createApp", token, {"name": "Card Reader", "redirect_uris": ["http://app.example.com/"]})
    authorize(api, token, app, address)
    api.call("listAuthorizations", token)
    ended = (api.call("listAuthorizations", token)["results"] or [{"id": "au_0"}])[0]["id"]
    api.call("endAuthorization", token, authorization_id=ended)
    api.call("deleteApp", token, app_id=app)


def authorize(api: Recorder, token: str, app: str, address: str) -> None:
    """Let the player authorize an app on its page."""
    parameters = {
        "response_type": "code",
        "client_id": app,
        "redirect_uri": address,
        "code_challenge": "x" * 43,
    }
    page = f"/oauth/authorize?{urlencode({**parameters, 'code_challenge_method': 'S256'})}"
    with httpx.Client(base_url=api.site) as browser:
        browser.post("/oauth/session", headers={"Authorization": f"Bearer {token}"}).raise_for_status()
        hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', browser.get(page).text))
        browser.post(page, data={**hidden, "action": "allow"}, headers={"Referer": f"{api.site}{page}"})


def notifications(api: Recorder, token: str) -> None:
    """Call the operations of mails and push messages."""
    api.call("readPushKey")
    device = api.call("addDevice", token, {**push_subscription("heathers"), "name": "my phone"})["id"]
    api.call("listDevices", token)
    api.call("testDevice", token, {}, device_id=device)
    api.call("testEmail", token, {})
    api.show("testEmail", {}, {"202": {"email": "heather@example.org"}})
    api.call("listNotificationDeliveries", token)


def lobby(api: Recorder, heather: str, bracken: str) -> None:
    """Call the operations of matches before their start."""
    limit = {
        "name": "player",
        "description": "Requests of the player.",
        "limit": 600,
        "window": 60,
        "remaining": 588,
        "seconds_left": 41,
    }
    api.show("readLimits", None, {"200": {"limits": [limit]}})  # the server has no limits
    api.call("listRulesets", query="?limit=1")
    api.call("readRuleset", key="classic")
    api.call("readCards", key="classic", body={"players": 2, "cards": ["3r", "J", "Q"]})
    fives = {"type": "play", "cards": ["5r", "5g"]}
    api.call("listLessons", query="?limit=1")
    api.call("readLesson", lesson="sets")
    api.call("actInLesson", lesson="sets", body={"actions": [fives]})
    api.call("checkCardsInLesson", lesson="sets", body={"actions": [fives], "cards": ["Tr", "Ty"]})
    request_body = {"ruleset": "classic", "seats": INVITED_BRACKEN}
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
    api.call("readStatistics", username="heather", query="?ruleset=classic&players=2")
    api.call("readStatistics", username="heather", query="?rules=classic")
    api.call("joinMatch", bracken, {}, match_id=match_on_hold)
    api.call("leaveMatch", bracken, {}, match_id=match_on_hold)
    api.call("joinMatch", bracken, {}, match_id=match_on_hold)
    api.call("startMatch", heather, {"client_seed": "given after the anchor"}, match_id=match_on_hold)
    api.call("cancelMatch", heather, {}, match_id=match_on_hold)
    other = api.call("createMatch", heather, {"ruleset": "deluxe"})["id"]
    api.call("cancelMatch", heather, {}, match_id=other)


def reclaim_late_seat(api: Recorder, heather: str, bracken: str) -> None:
    """Let a caretaker replace the first late player, and take the seat back before the second is late.

    When both are late, the caretakers finish the match.
    """
    clock = {"turn_seconds": 10, "timeouts_allowed": 0}
    match = api.call("createMatch", heather, {"ruleset": "classic", **clock})["id"]
    api.call("joinMatch", bracken, {"client_seed": "salt"}, match_id=match)
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
    api.call("listMyMatches", heather, query="?include=table,legal_moves")
    api.call("listWatchableMatches", query="?limit=1")
    api.call("readWatchers", match_id=match)
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


def research_data(api: Recorder) -> None:
    """Record the list of the files: a new server has no month that is over."""
    file = {
        "name": "2026-10.ndjson.gz",
        "month": "2026-10",
        "format": "ndjson",
        "rows": 5120,
        "bytes": 2380114,
        "sha256": "9b74c9897bac770ffc029102a200c5de4f4eb5c9f0f9fb6e9bc1e5b2a4a4e2f0",
        "licence": "CC0-1.0",
        "written_at": "2026-11-01T03:00:00Z",
        "url": "http://127.0.0.1:8000/api/v1/exports/2026-10.ndjson.gz",
    }
    api.show("listExports", None, {"200": {"results": [file], "next": None, "previous": None}})


def solve_puzzles(api: Recorder, heather: str) -> None:
    """Read the daily puzzle and the next one, and answer it with the first legal play."""
    daily = api.call("readDailyPuzzle")["id"]
    api.call("readPuzzle", puzzle_id=daily)
    puzzle = api.call("readNextPuzzle", heather)["id"]
    play = api.call("listPuzzleMoves", puzzle_id=puzzle)["combinations"][0]
    api.call("checkPuzzleCards", body={"cards": play["cheapest"]}, puzzle_id=puzzle)
    named = {name: play["combination"][name] for name in ("kind", "top", "width", "length")}
    answer = {"type": "play", "cards": play["cheapest"], "as": named}
    api.call("answerPuzzle", heather, answer, puzzle_id=puzzle)


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
    api.call("blockPlayer", heather, {}, username="bracken")
    api.call("listBlocks", heather)
    api.call("createMatch", heather, {"ruleset": "classic", "seats": INVITED_BRACKEN})
    api.call("unblockPlayer", heather, username="bracken")
    api.call("reportPlayer", heather, {"username": "bracken", "reason": "name", "text": "It imitates mine."})
    reclaim_late_seat(api, heather, bracken)
    lobby(api, heather, bracken)
    play_until_ambiguous(api, heather)
    solve_puzzles(api, heather)
    research_data(api)
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
