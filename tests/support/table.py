"""A scenario language: whole games over HTTP that read like the report of a game.

A table is a match that was created, joined and started through the public API. Its methods act for a
player by name and return the table, so that a game is written move by move:

    table = Table.start("anna", "ben", leads="anna", deals=[{"anna": "3r 5o 7y", "ben": "4r 4o"}])
    table.bet("anna", 15).play("anna", "3r").play("ben", "4r").passes("anna")
    with table.refuses("must_lead"):
        table.passes("ben")
    assert (table.to_act, table.hand("ben")) == ("ben", "4o J Q K")

A player is a name, which enters as a guest, an existing `Player`, or an AI level. `Table.of(match)` acts for
the players of an existing match. With `site=live_server.url` requests take a socket instead of Django's test
client.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Self

from engine.matches.first_lead import first_dealer_and_leader
from engine.rulesets.catalogue import rule_set
from games.gateway.ai import LEVEL_NAMES
from games.identity.models import Player
from games.matches.models.match import Match
from tests.support.clients import HttpPlayer, Json, choose_action
from tests.support.factories import play_ai_turns, time_out
from tests.support.prepared_deals import prepare_deals

# The longest matches of the tests have some hundred actions.
MOST_ACTIONS = 3000


class RequestRefused(AssertionError):
    """A request for a player was refused."""

    def __init__(self, problem: Json) -> None:
        super().__init__(problem)
        self.problem = problem


class Refusal:
    """The refusal that `Table.refuses` expected; `problem` is the body of the response."""

    problem: Json = None


class Table:
    """A match over HTTP. `table["anna"]` is the client of a player, for all other requests."""

    def __init__(
        self, match_id: str, seats: Sequence[str], clients: Mapping[str, HttpPlayer], seed: int = 1
    ) -> None:
        self.id = match_id
        self.seats = tuple(seats)
        self._clients = clients
        self._viewer = next(iter(clients.values()), HttpPlayer(match_id=match_id))
        self._random = Random(seed)

    def __getitem__(self, name: str) -> HttpPlayer:
        return self._clients[name]

    # --- Start ----------------------------------------------------------------------------------------------

    @classmethod
    def start(
        cls,
        *players: str | Player,
        leads: str = "",
        deals: Sequence[Mapping[str, str]] = (),
        site: str = "",
        **settings: Json,
    ) -> Self:
        """Create a match of these players in seat order, and start it.

        `leads` names who leads the first round; otherwise this is drawn. `deals` has the hands of the first
        rounds, see `prepare_deals`. All other arguments are members of the request that creates a match.
        """
        seats = [player.username if isinstance(player, Player) else player for player in players]
        clients = {
            name: _enter(player, site)
            for name, player in zip(seats, players, strict=True)
            if name not in LEVEL_NAMES
        }
        maker = next(iter(clients), "")
        creator = clients[maker] if maker else _enter("maker", site)
        body = {"ruleset": "classic", **settings, "hold": True}
        body["seats"] = [{"kind": "me"} if name == maker else _seat_request(name) for name in seats]
        created = creator.request("POST", "matches", body)
        assert created.status_code == 201, created.content
        table = cls(created.json()["id"], seats, clients)
        for name, client in clients.items():
            client.match_id = table.id
            if name != maker:
                table.post(name, "/join", seat=table.seats.index(name))
        if deals or leads:
            table._prepare(body, leads, deals)
        started = creator.request("POST", f"matches/{table.id}/start", {})
        assert started.status_code == 200, started.content
        return table

    @classmethod
    def of(cls, match: Match, seed: int = 1) -> Self:
        """Return the table of an existing match, whose players log in."""
        occupants = [
            seat.player or seat.level for seat in match.seats.select_related("player").order_by("number")
        ]
        people = [player for player in occupants if isinstance(player, Player)]
        clients = {player.username: HttpPlayer.log_in(match, player) for player in people}
        return cls(match.pk, [str(getattr(each, "username", each)) for each in occupants], clients, seed)

    def _prepare(self, settings: Json, leads: str, deals: Sequence[Mapping[str, str]]) -> None:
        options = settings.get("options", {})
        rules = rule_set(settings["ruleset"]).at_table(players=len(self.seats), options=options)
        first_seats = {first_dealer_and_leader(rules, seat)[1]: seat for seat in range(rules.players)}
        first_seat = first_seats[self.seats.index(leads)] if leads else None
        prepare_deals(self.id, self.seats, deals, first_seat=first_seat)

    # --- Actions of players ---------------------------------------------------------------------------------

    def play(self, name: str, cards: str, **combination: Json) -> Self:
        """Play cards such as `"7g 7r J"`; `kind="set"`, `top=7` and so on say as which combination."""
        named = {"as": combination} if combination else {}
        return self._act(name, type="play", cards=cards.split(), **named)

    def passes(self, *names: str) -> Self:
        """Pass for each of these players."""
        for name in names:
            self._act(name, type="pass")
        return self

    def bet(self, name: str, amount: int) -> Self:
        """Bet this amount; 0 declares that there is no bet."""
        return self._act(name, type="bet", amount=amount)

    def award(self, name: str, to: str) -> Self:
        """Award the bombed trick to an opponent."""
        return self._act(name, type="award", to=self.seats.index(to))

    def resign(self, name: str) -> Self:
        """Resign."""
        return self.post(name, "/resign")

    def order_passes(self, name: str) -> Self:
        """Give the standing order to pass for the rest of the trick."""
        return self.request("PUT", name, "/standing-order")

    def withdraw_order(self, name: str) -> Self:
        """Withdraw the standing order."""
        return self.request("DELETE", name, "/standing-order")

    def post(self, name: str, path: str, **body: Json) -> Self:
        """Post to a path of the match."""
        return self.request("POST", name, path, body)

    def request(self, method: str, name: str, path: str, body: Json = None) -> Self:
        """Send a request to a path of the match; raise `RequestRefused` if it fails."""
        response = self[name].request(method, f"matches/{self.id}{path}", body)
        if response.status_code not in {200, 201}:
            raise RequestRefused(response.json())
        return self

    def _act(self, name: str, **body: Json) -> Self:
        return self.post(name, "/moves", version=self.seen_by(name)["version"], **body)

    @contextmanager
    def refuses(self, code: str) -> Iterator[Refusal]:
        """Expect that the block is refused with this code and changes nothing."""
        before, refusal = self.version, Refusal()
        try:
            yield refusal
        except RequestRefused as refused:
            refusal.problem = refused.problem
        assert refusal.problem is not None, f"the request was not refused with {code}"
        assert refusal.problem["code"] == code, refusal.problem
        assert self.version == before

    # --- The rest of a match --------------------------------------------------------------------------------

    def legal_action(self, *, bets: bool = True) -> tuple[HttpPlayer, Json]:
        """Return the client of the player to act, and the request for a random legal action."""
        player = self[self.to_act]
        legal = player.get("/legal-moves?expand=plays").json()
        if not bets:
            legal["bets"] = []
        action = choose_action(legal, player.table()["you"], self._random)
        return player, {"version": legal["version"], **action}

    def take_turn(self, *, bets: bool = True) -> Json:
        """Take a random legal action for the player to act; return the log entry."""
        player, action = self.legal_action(bets=bets)
        response = player.act(action)
        assert response.status_code == 201, response.content
        return response.json()["move"]

    def let_ais_play(self) -> Self:
        """Take the turns of AIs, also on abandoned seats, until a person is to act or the match is over."""
        play_ai_turns(Match.objects.get(pk=self.id))
        return self

    def wait_out(self) -> Self:
        """Let the deadline of the current turn pass."""
        time_out(Match.objects.get(pk=self.id))
        return self

    def finish(self, seed: int | str = 1) -> Self:
        """Take random legal actions until the match is over."""
        self._random = Random(seed)
        for _ in range(MOST_ACTIONS):
            if self.let_ais_play().status != "active":
                return self
            self.take_turn()
        raise AssertionError("the match does not end")

    # --- What players and spectators see --------------------------------------------------------------------

    def seen_by(self, name: str) -> Json:
        """Return the match as this player sees it."""
        return self[name].table()

    @property
    def view(self) -> Json:
        """The match as its first player sees it, or a spectator if all seats are played by AIs."""
        return self._get("")

    @property
    def version(self) -> int:
        """The number of events so far."""
        return int(self.view["version"])

    @property
    def status(self) -> str:
        """The status of the match, such as `active`."""
        return str(self.view["status"])

    @property
    def to_act(self) -> str:
        """Who is to act."""
        return str(self.seats[self.view["round"]["to_act"]])

    @property
    def scores(self) -> dict[str, int]:
        """The points of each player."""
        return {name: seat["score"] for name, seat in zip(self.seats, self.view["seats"], strict=True)}

    @property
    def winners(self) -> list[str]:
        """The winners of a match that is over."""
        return [self.seats[seat] for seat in self.view["result"]["winners"]]

    @property
    def bets(self) -> dict[str, int | None]:
        """The bet of each player in this round."""
        return dict(zip(self.seats, self.view["round"]["bets"], strict=True))

    @property
    def captured(self) -> dict[str, str]:
        """The cards that each player has captured in this round."""
        return {
            name: " ".join(cards)
            for name, cards in zip(self.seats, self.view["round"]["captured"], strict=True)
        }

    def hand(self, name: str) -> str:
        """Return the hand of a player, as that player sees it."""
        return " ".join(self.seen_by(name)["round"]["hands"][self.seats.index(name)]["cards"])

    def sheet(self, number: int = 1) -> dict[str, Json]:
        """Return the score sheet of a round that is over: the lines of each player."""
        shown = self._get(f"/rounds/{number}")["scores"]
        return dict(zip(self.seats, shown, strict=True))

    @property
    def log(self) -> list[Json]:
        """All log entries."""
        entries: list[Json] = []
        while (page := self._get(f"/moves?after={len(entries)}"))["results"]:
            entries += page["results"]
        return entries

    @property
    def last(self) -> Json:
        """The last log entry."""
        return self._get(f"/moves?after={self.version - 1}")["results"][0]

    def _get(self, path: str) -> Json:
        response = self._viewer.get(path)
        assert response.status_code == 200, response.content
        return response.json()


def _seat_request(name: str) -> Json:
    return {"kind": "ai", "level": name} if name in LEVEL_NAMES else {"kind": "open"}


def _enter(player: str | Player, site: str) -> HttpPlayer:
    """Log an existing player in, or enter as a guest with this display name."""
    if isinstance(player, Player):
        return replace(HttpPlayer.log_in(player=player), site=site)
    visitor = HttpPlayer(site=site)
    response = visitor.request("POST", "auth/guest", {"display_name": player})
    assert response.status_code == 201, response.content
    entered = response.json()
    return replace(visitor, token=entered["token"], username=entered["player"]["username"])
