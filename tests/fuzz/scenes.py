"""Scenes: the preconditions with which operations can succeed.

No generator finds an invitation, a player's own turn or a finished match. Two of three valid requests get
such a scene; the others stay as generated.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

from tests.fuzz.players import PASSWORD, Json, Person

MAX_TURNS: Final = 6
# The examples of the contract, read without Django: schemathesis imports this module by itself.
_EXAMPLES: Final = Path(__file__).parents[2] / "games" / "api" / "schema" / "recorded.json"


@dataclass(frozen=True)
class Scene:
    """Path parameters, body and token of a request, as far as they matter."""

    parts: dict[str, Any] = field(default_factory=dict)
    body: Json = None
    token: str = ""


@dataclass
class Stage:
    """A player and an opponent."""

    me: Person
    other: Person
    matches: dict[str, str] = field(default_factory=dict)

    def create_match(self, **options: Json) -> str:
        """Create a match of the player."""
        return str(self.me.require("POST", "matches", {"ruleset": "classic", **options})["id"])

    def invitation(self, **options: Json) -> str:
        """Create a match of the opponent with an invitation for the player."""
        seats = [{"kind": "me"}, {"kind": "player", "username": self.me.name}]
        return str(
            self.other.require("POST", "matches", {"ruleset": "classic", "seats": seats, **options})["id"]
        )

    def active_match(self, **options: Json) -> str:
        """Create a match that has begun."""
        match = self.invitation(**options)
        self.me.request_json("POST", f"matches/{match}/accept", {})
        return match

    def match_on_my_turn(self) -> str:
        """Return a match in which it is the player's turn, the same one until it is finished."""
        if self._table(self.matches.get("played", "m_none")).get("status") != "active":
            self.matches["played"] = self.active_match()
        match = self.matches["played"]
        for _ in range(MAX_TURNS):
            if (self._table(match).get("you") or {}).get("to_act"):
                break
            self.other.request_json("POST", f"matches/{match}/moves", first_action(self.other, match))
        return match

    def _table(self, match: str) -> Json:
        return self.me.request_json("GET", f"matches/{match}")

    def match_with_lead(self) -> str:
        """Create a match with a lead."""
        match = self.active_match()
        leader = self.me if (self._table(match).get("you") or {}).get("to_act") else self.other
        leader.request_json("POST", f"matches/{match}/moves", first_action(leader, match))
        return match

    def finished_match(self) -> str:
        """Create a finished match."""
        match = self.active_match()
        self.other.request_json("POST", f"matches/{match}/resign", {})
        return match

    def paused_match(self) -> str:
        """Create a paused match."""
        match = self.active_match()
        for person in (self.me, self.other):
            person.request_json("POST", f"matches/{match}/pause", {})
        return match

    def match_with_short_turns(self) -> str:
        """Return a match with short turns, in which a caretaker may have replaced the player."""
        if self._table(self.matches.get("hurried", "m_none")).get("status") != "active":
            self.matches["hurried"] = self.active_match(
                turn_seconds=10, timeouts_allowed=0, target_score=1000
            )
        return self.matches["hurried"]

    def create_webhook(self) -> str:
        """Create a webhook of the player."""
        return str(self.me.require("POST", "me/webhooks", {"url": "https://example.org/haggis"})["id"])


def example_of(operation: str) -> Json:
    """Return the example of an operation's body in the contract."""
    return json.loads(_EXAMPLES.read_text(encoding="utf-8"))["operations"][operation]["body"]


def first_action(person: Person, match: str) -> Json:
    """Return a legal action: an award, the first play of the list, or a pass."""
    legal = person.request_json("GET", f"matches/{match}/legal-moves")
    version = legal.get("version", 0)
    if legal.get("must_award"):
        return {"type": "award", "version": version, "to": legal["awards"][0]}
    for play in legal.get("combinations", ()):
        named = {name: play["combination"][name] for name in ("kind", "top", "width", "length")}
        return {"type": "play", "version": version, "cards": play["cheapest"], "as": named}
    return {"type": "pass", "version": version}


def _match_scene(match: str, body: Json = None, **parts: Any) -> Scene:
    return Scene({"match_id": match, **parts}, body)


def _act(stage: Stage) -> Scene:
    match = stage.match_on_my_turn()
    return _match_scene(match, first_action(stage.me, match))


def _check(stage: Stage) -> Scene:
    match = stage.match_on_my_turn()
    seen = stage.me.require("GET", f"matches/{match}")
    return _match_scene(match, {"cards": seen["round"]["hands"][seen["you"]["seat"]]["cards"][:3]})


def _hint(stage: Stage) -> Scene:
    seats = [{"kind": "me"}, {"kind": "ai", "level": "easy"}]
    return _match_scene(stage.create_match(seats=seats, hints=True))


def _start(stage: Stage) -> Scene:
    match = stage.create_match(hold=True)
    stage.other.request_json("POST", f"matches/{match}/join", {})
    return _match_scene(match)


def _leave(stage: Stage) -> Scene:
    match = str(stage.other.require("POST", "matches", {"ruleset": "classic", "hold": True})["id"])
    stage.me.request_json("POST", f"matches/{match}/join", {})
    return _match_scene(match)


def _join(stage: Stage) -> Scene:
    return _match_scene(str(stage.other.require("POST", "matches", {"ruleset": "classic"})["id"]), {})


def _analysed(stage: Stage) -> Scene:
    match = stage.finished_match()
    stage.me.request_json("POST", f"matches/{match}/analysis", {})
    return _match_scene(match)


def _record(stage: Stage) -> Scene:
    return Scene(body={"record": stage.me.require("GET", f"matches/{stage.finished_match()}/record")})


def _verification(stage: Stage) -> Scene:
    accepted = stage.me.require("POST", "records/verify", {"record": {"format": "x" * 70_000}})
    return Scene({"verification_id": accepted["id"]})


def _claim(stage: Stage) -> Scene:
    guest = stage.me.require("POST", "auth/guest", {})
    body = {"username": f"kept-{guest['player']['username'][-8:]}", "password": PASSWORD}
    return Scene(body=body, token=guest["token"])


def _delivery(stage: Stage) -> Scene:
    webhook = stage.create_webhook()
    sent = stage.me.require("POST", f"me/webhooks/{webhook}/test", {})
    return Scene({"webhook_id": webhook, "delivery_id": sent["id"]})


def _fresh(stage: Stage) -> Scene:
    """Enter the password again, for operations that need it."""
    for password in (PASSWORD, f"new {PASSWORD}"):
        stage.me.request_json("POST", "me/reauthenticate", {"password": password})
    return Scene()


def _bot(stage: Stage) -> Scene:
    _fresh(stage)
    bots = stage.me.require("GET", "me/bots")["results"]
    name = bots[0]["username"] if bots else f"{stage.me.name}-bot"
    stage.me.request_json("POST", "me/bots", {"username": name})
    return Scene({"username": name})


def _device(stage: Stage) -> Scene:
    created = stage.me.require("POST", "me/devices", example_of("addDevice"))
    return Scene({"device_id": created["id"]})


def _session(stage: Stage) -> Scene:
    credentials = {"username": stage.me.name, "password": PASSWORD}
    stage.me.request_json("POST", "auth/token", credentials)
    listed = stage.me.require("GET", "me/sessions")["results"]
    ended = next((each for each in listed if not each["current"]), listed[0])
    return Scene({"session_id": ended["id"]})


def _new_bot(stage: Stage) -> Scene:
    _fresh(stage)
    return Scene(body={"username": f"{stage.me.name}-{token_hex(3)}"})


def _new_password(stage: Stage) -> Scene:
    _fresh(stage)
    return Scene(body={"current_password": PASSWORD, "password": f"new {PASSWORD}"})


def _enrolment(stage: Stage) -> Scene:
    _fresh(stage)
    return Scene(body={})


def _token(stage: Stage) -> Scene:
    _fresh(stage)
    created = stage.me.require("POST", "me/tokens", {"name": "a program", "scopes": ["matches:read"]})
    return Scene({"token_id": created["id"]})


def _daily_puzzle(stage: Stage) -> Scene:
    return Scene({"puzzle_id": stage.me.require("GET", "puzzles/daily")["id"]})


def _first_answer(stage: Stage) -> Scene:
    """Answer a puzzle that the player has not answered yet with its first legal play."""
    puzzle = stage.me.require("GET", "puzzles/next")["id"]
    play = stage.me.require("GET", f"puzzles/{puzzle}/legal-moves")["combinations"][0]
    named = {name: play["combination"][name] for name in ("kind", "top", "width", "length")}
    return Scene({"puzzle_id": puzzle}, {"type": "play", "cards": play["cheapest"], "as": named})


def _puzzle_cards(stage: Stage) -> Scene:
    answer = _first_answer(stage)
    return Scene(answer.parts, {"cards": answer.body["cards"]})


def _report(stage: Stage) -> Scene:
    return Scene(body={"username": stage.other.name, "reason": "name"})


def _lesson(operation: str) -> Scene:
    """Send the example of the contract, which is of the lesson about sets."""
    return Scene({"lesson": "sets"}, example_of(operation))


def _vacation(_: Stage) -> Scene:
    until = datetime.now(UTC) + timedelta(days=3)
    return Scene(body={"until": until.isoformat(timespec="seconds").replace("+00:00", "Z")})


_OWN_TURN: Final = (
    "readMatch",
    "listLog",
    "listRounds",
    "readRecord",
    "readWatchers",
    "watchMatch",
    "listLegalMoves",
)
_OF_A_WEBHOOK: Final = (
    "readWebhook",
    "changeWebhook",
    "deleteWebhook",
    "listDeliveries",
    "testWebhook",
    "exchangeWebhookSecret",
)

SCENES: Final[dict[str, Callable[[Stage], Scene]]] = {
    **{name: lambda stage: _match_scene(stage.match_on_my_turn()) for name in _OWN_TURN},
    **{name: lambda stage: Scene({"webhook_id": stage.create_webhook()}) for name in _OF_A_WEBHOOK},
    **{
        name: lambda stage: _match_scene(stage.finished_match())
        for name in ("askForRematch", "startAnalysis")
    },
    **{
        name: lambda stage: _match_scene(stage.invitation())
        for name in ("acceptInvitation", "declineInvitation")
    },
    **{
        name: lambda stage: _match_scene(stage.match_with_lead())
        for name in ("giveStandingOrder", "withdrawStandingOrder")
    },
    **{
        name: lambda stage: _match_scene(stage.active_match())
        for name in ("askForPause", "withdrawPause", "resign")
    },
    **dict.fromkeys(("readPuzzle", "listPuzzleMoves"), _daily_puzzle),
    "act": _act,
    "actInLesson": lambda _: _lesson("actInLesson"),
    "addDevice": lambda _: Scene(body=example_of("addDevice")),
    "answerPuzzle": _first_answer,
    "askForPasswordReset": lambda stage: Scene(body={"username": stage.me.name}),
    "askToResume": lambda stage: _match_scene(stage.paused_match()),
    "cancelMatch": lambda stage: _match_scene(stage.create_match()),
    "changePassword": _new_password,
    "checkCards": _check,
    "checkCardsInLesson": lambda _: _lesson("checkCardsInLesson"),
    "checkPuzzleCards": _puzzle_cards,
    "claimAccount": _claim,
    "createMatch": lambda _: Scene(body={"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "open"}]}),
    "createBot": _new_bot,
    "createWebhook": lambda _: Scene(body={"url": "https://example.org/haggis"}),
    "deleteBot": _bot,
    "deleteToken": _token,
    "endSession": _session,
    "reauthenticate": lambda _: Scene(body={"password": PASSWORD}),
    "removeSecondFactor": _fresh,
    "setUpSecondFactor": _enrolment,
    "removeDevice": _device,
    "testDevice": _device,
    "goOnVacation": _vacation,
    "joinMatch": _join,
    "leaveMatch": _leave,
    "logIn": lambda stage: Scene(body={"username": stage.me.name, "password": PASSWORD}),
    "listPlayersMatches": lambda stage: Scene({"username": stage.me.name}),
    "readAnalysis": _analysed,
    "readCards": lambda _: Scene({"key": "classic"}, {"players": 2, "cards": ["3r", "J", "Q"]}),
    "readHint": _hint,
    "readLesson": lambda _: Scene({"lesson": "sets"}),
    "readPlayer": lambda stage: Scene({"username": stage.me.name}),
    "readStatistics": lambda stage: Scene({"username": stage.me.name}),
    "readRound": lambda stage: _match_scene(stage.match_on_my_turn(), number=1),
    "readRuleset": lambda _: Scene({"key": "classic"}),
    "readVerification": _verification,
    "reclaimSeat": lambda stage: _match_scene(stage.match_with_short_turns()),
    "redeliver": _delivery,
    "refillSeat": lambda stage: _match_scene(stage.create_match(), {"kind": "open"}, number=1),
    "register": lambda _: Scene(body={"username": f"fuzzed-{token_hex(6)}", "password": PASSWORD}),
    "renewBotToken": _bot,
    "reportPlayer": _report,
    "startMatch": _start,
    "verifyRecord": _record,
}
