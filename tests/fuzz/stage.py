"""Scenes: what has to be there so that an operation can succeed, made for whoever asks.

No generator comes upon an invitation, upon one's own turn or upon a match that is over. Two of three
requests that are of the right form are put into such a scene; the others stay as they were drawn.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from typing import Any, Final

from games.api.schema.examples import recorded
from tests.fuzz.players import PASSWORD, Json, Person

MOST_TURNS: Final = 6


@dataclass(frozen=True)
class Scene:
    """Where a request is put: the parts of its address, its body, its token, as far as these matter."""

    parts: dict[str, Any] = field(default_factory=dict)
    body: Json = None
    token: str = ""


@dataclass
class Stage:
    """Somebody, and a second one to play with."""

    me: Person
    other: Person
    matches: dict[str, str] = field(default_factory=dict)

    def make(self, **asked: Json) -> str:
        """A match of mine."""
        return str(self.me.want("POST", "matches", {"ruleset": "classic", **asked})["id"])

    def invite(self, **asked: Json) -> str:
        """A match of the other's, with a seat kept for me."""
        seats = [{"kind": "me"}, {"kind": "player", "username": self.me.name}]
        return str(self.other.want("POST", "matches", {"ruleset": "classic", "seats": seats, **asked})["id"])

    def table(self, **asked: Json) -> str:
        """A match that has begun."""
        match = self.invite(**asked)
        self.me.ask("POST", f"matches/{match}/accept", {})
        return match

    def my_turn(self) -> str:
        """A match in which it is my turn: always the same until it is over."""
        if self._table(self.matches.get("played", "m_none")).get("status") != "active":
            self.matches["played"] = self.table()
        match = self.matches["played"]
        for _ in range(MOST_TURNS):
            if (self._table(match).get("you") or {}).get("to_act"):
                break
            self.other.ask("POST", f"matches/{match}/moves", first_action(self.other, match))
        return match

    def _table(self, match: str) -> Json:
        return self.me.ask("GET", f"matches/{match}")

    def led(self) -> str:
        """A match in which somebody has led."""
        match = self.table()
        leader = self.me if (self._table(match).get("you") or {}).get("to_act") else self.other
        leader.ask("POST", f"matches/{match}/moves", first_action(leader, match))
        return match

    def finished(self) -> str:
        """A match that is over."""
        match = self.table()
        self.other.ask("POST", f"matches/{match}/resign", {})
        return match

    def paused(self) -> str:
        """A match that stands still."""
        match = self.table()
        for person in (self.me, self.other):
            person.ask("POST", f"matches/{match}/pause", {})
        return match

    def hurried(self) -> str:
        """A long match in which I was late, if I was, and a caretaker came."""
        if self._table(self.matches.get("hurried", "m_none")).get("status") != "active":
            self.matches["hurried"] = self.table(turn_seconds=10, timeouts_allowed=0, target_score=1000)
        return self.matches["hurried"]

    def webhook(self) -> str:
        """An endpoint of mine."""
        return str(self.me.want("POST", "me/webhooks", {"url": "https://example.org/haggis"})["id"])


def example_of(operation: str) -> Json:
    """What the contract shows of the body of an operation."""
    return recorded()["operations"][operation]["body"]


def first_action(person: Person, match: str) -> Json:
    """What may be done: award, the first play on the list, or a pass."""
    legal = person.ask("GET", f"matches/{match}/legal-moves")
    version = legal.get("version", 0)
    if legal.get("must_award"):
        return {"type": "award", "version": version, "to": legal["awards"][0]}
    for play in legal.get("combinations", ()):
        named = {name: play["combination"][name] for name in ("kind", "top", "width", "length")}
        return {"type": "play", "version": version, "cards": play["cheapest"], "as": named}
    return {"type": "pass", "version": version}


def _at(match: str, body: Json = None, **parts: Any) -> Scene:
    return Scene({"match_id": match, **parts}, body)


def _act(stage: Stage) -> Scene:
    match = stage.my_turn()
    return _at(match, first_action(stage.me, match))


def _check(stage: Stage) -> Scene:
    match = stage.my_turn()
    seen = stage.me.want("GET", f"matches/{match}")
    return _at(match, {"cards": seen["round"]["hands"][seen["you"]["seat"]]["cards"][:3]})


def _hint(stage: Stage) -> Scene:
    seats = [{"kind": "me"}, {"kind": "ai", "level": "easy"}]
    return _at(stage.make(seats=seats, hints=True))


def _start(stage: Stage) -> Scene:
    match = stage.make(hold=True)
    stage.other.ask("POST", f"matches/{match}/join", {})
    return _at(match)


def _leave(stage: Stage) -> Scene:
    match = str(stage.other.want("POST", "matches", {"ruleset": "classic", "hold": True})["id"])
    stage.me.ask("POST", f"matches/{match}/join", {})
    return _at(match)


def _join(stage: Stage) -> Scene:
    return _at(str(stage.other.want("POST", "matches", {"ruleset": "classic"})["id"]), {})


def _analysed(stage: Stage) -> Scene:
    match = stage.finished()
    stage.me.ask("POST", f"matches/{match}/analysis", {})
    return _at(match)


def _record(stage: Stage) -> Scene:
    return Scene(body={"record": stage.me.want("GET", f"matches/{stage.finished()}/record")})


def _claim(stage: Stage) -> Scene:
    guest = stage.me.want("POST", "auth/guest", {})
    body = {"username": f"kept-{guest['player']['username'][-8:]}", "password": PASSWORD}
    return Scene(body=body, token=guest["token"])


def _delivery(stage: Stage) -> Scene:
    webhook = stage.webhook()
    sent = stage.me.want("POST", f"me/webhooks/{webhook}/test", {})
    return Scene({"webhook_id": webhook, "delivery_id": sent["id"]})


def _bot(stage: Stage) -> Scene:
    known = stage.me.want("GET", "me/bots")["results"]
    name = known[0]["username"] if known else f"{stage.me.name}-bot"
    stage.me.ask("POST", "me/bots", {"username": name})
    return Scene({"username": name})


def _device(stage: Stage) -> Scene:
    made = stage.me.want("POST", "me/devices", example_of("addDevice"))
    return Scene({"device_id": made["id"]})


def _token(stage: Stage) -> Scene:
    made = stage.me.want("POST", "me/tokens", {"name": "a program", "scopes": ["matches:read"]})
    return Scene({"token_id": made["id"]})


def _vacation(_: Stage) -> Scene:
    until = datetime.now(UTC) + timedelta(days=3)
    return Scene(body={"until": until.isoformat(timespec="seconds").replace("+00:00", "Z")})


_OWN_TURN: Final = ("readMatch", "listLog", "listRounds", "readRecord", "watchMatch", "listLegalMoves")
_OF_A_WEBHOOK: Final = (
    "readWebhook",
    "changeWebhook",
    "deleteWebhook",
    "listDeliveries",
    "testWebhook",
    "exchangeWebhookSecret",
)

SCENES: Final[dict[str, Callable[[Stage], Scene]]] = {
    **{name: lambda stage: _at(stage.my_turn()) for name in _OWN_TURN},
    **{name: lambda stage: Scene({"webhook_id": stage.webhook()}) for name in _OF_A_WEBHOOK},
    **{name: lambda stage: _at(stage.finished()) for name in ("askForRematch", "startAnalysis")},
    **{name: lambda stage: _at(stage.invite()) for name in ("acceptInvitation", "declineInvitation")},
    **{name: lambda stage: _at(stage.led()) for name in ("giveStandingOrder", "withdrawStandingOrder")},
    **{name: lambda stage: _at(stage.table()) for name in ("askForPause", "withdrawPause", "resign")},
    "act": _act,
    "addDevice": lambda _: Scene(body=example_of("addDevice")),
    "askForPasswordReset": lambda stage: Scene(body={"username": stage.me.name}),
    "askToResume": lambda stage: _at(stage.paused()),
    "cancelMatch": lambda stage: _at(stage.make()),
    "changePassword": lambda _: Scene(body={"current_password": PASSWORD, "password": f"new {PASSWORD}"}),
    "checkCards": _check,
    "claimAccount": _claim,
    "createMatch": lambda _: Scene(body={"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "open"}]}),
    "createBot": lambda stage: Scene(body={"username": f"{stage.me.name}-{token_hex(3)}"}),
    "createWebhook": lambda _: Scene(body={"url": "https://example.org/haggis"}),
    "deleteBot": _bot,
    "deleteToken": _token,
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
    "readPlayer": lambda stage: Scene({"username": stage.me.name}),
    "readRound": lambda stage: _at(stage.my_turn(), number=1),
    "readRuleset": lambda _: Scene({"key": "classic"}),
    "reclaimSeat": lambda stage: _at(stage.hurried()),
    "redeliver": _delivery,
    "refillSeat": lambda stage: _at(stage.make(), {"kind": "open"}, number=1),
    "register": lambda _: Scene(body={"username": f"fuzzed-{token_hex(6)}", "password": PASSWORD}),
    "renewBotToken": _bot,
    "startMatch": _start,
    "verifyRecord": _record,
}
