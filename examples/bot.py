"""A bot for any number of matches, with one stream and one request for all its turns. It needs only httpx.

    python examples/bot.py http://127.0.0.1:8000 --token TOKEN       plays until you stop it
    python examples/bot.py http://127.0.0.1:8000 --against easy      plays one match as a guest, then stops

The guide "Build a bot" (docs/guide/bots.md) explains it. Put your own play into `choose`.
"""

import argparse
import json
import queue
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx

# A stream that has been silent for longer is broken: the server sends a comment every 15 seconds.
SILENCE_SECONDS = 40.0
LONGEST_PAUSE = 30.0
PAGE = 200
# Codes of refusals that mean that the match went on meanwhile; its next event says whose turn it is.
OVERTAKEN = {
    "stale_version",
    "not_your_turn",
    "match_not_active",
    "deadline_passed",
    "award_due",
    "not_found",
}

Json = Any


def choose(legal: Json, _table: Json) -> Json:
    """Return an action: the first play of the list, which has the fewest wild cards, or a pass."""
    if legal["must_award"]:
        return {"type": "award", "to": legal["awards"][0]}
    if not legal["combinations"]:
        return {"type": "pass"}
    group = legal["combinations"][0]
    named = {name: group["combination"][name] for name in ("kind", "top", "width", "length")}
    return {"type": "play", "cards": group["cheapest"], "as": named}


class Api:
    """Requests that wait as long as the rate limits ask for, and try again when the connection is lost."""

    def __init__(self, site: str, token: str) -> None:
        self.http = httpx.Client(base_url=f"{site.rstrip('/')}/api/v1", timeout=30)
        self.requests = self.limited = 0
        if not token:
            token = self.send("POST", "/auth/guest", {}).json()["token"]
        self.http.headers["Authorization"] = f"Bearer {token}"

    def send(self, method: str, path: str, body: Json = None) -> httpx.Response:
        """Send a request until it is answered; repeating a move is safe, as it names the version."""
        pause = 0.5
        while True:
            try:
                self.requests += 1
                answer = self.http.request(method, path, json=body)
            except httpx.TransportError:
                time.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
                continue
            if answer.status_code in {httpx.codes.TOO_MANY_REQUESTS, httpx.codes.SERVICE_UNAVAILABLE}:
                self.limited += answer.status_code == httpx.codes.TOO_MANY_REQUESTS
                time.sleep(float(answer.headers.get("Retry-After", pause)))
                continue
            return answer

    def pages(self, path: str) -> Iterator[Json]:
        """Yield every item of a list."""
        while path:
            page = self.send("GET", path).raise_for_status().json()
            yield from page["results"]
            path = page["next"]


class Events(threading.Thread):
    """Reads the stream of all matches into a queue, and opens it again from the last event when it breaks."""

    def __init__(self, api: Api) -> None:
        super().__init__(daemon=True)
        self.api = api
        self.received: queue.Queue[Json] = queue.Queue()
        self.cursor = ""

    def run(self) -> None:
        """Read forever; `None` in the queue says that events may be missing and all matches must be read."""
        pause = 0.5
        while True:
            try:
                for event, data in self._stream():
                    pause = 0.5
                    if event == "entry":
                        self.received.put(data)
                    elif event == "start":
                        self.received.put(None)
            except httpx.HTTPStatusError as error:
                if error.response.status_code == httpx.codes.UNAUTHORIZED:
                    self.received.put(error)  # the token was revoked
                    return
            except httpx.TransportError:
                pass
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _stream(self) -> Iterator[tuple[str, Json]]:
        headers = {"Accept": "text/event-stream"}
        if self.cursor:
            headers["Last-Event-ID"] = self.cursor
        timeout = httpx.Timeout(30, read=SILENCE_SECONDS)
        with self.api.http.stream("GET", "/me/events", headers=headers, timeout=timeout) as answer:
            answer.raise_for_status()
            event, cursor, data = "", "", ""
            for line in answer.iter_lines():
                name, _, value = line.partition(": ")
                if name == "event":
                    event = value
                elif name == "id":
                    cursor = value
                elif name == "data":
                    data = value
                elif not line and data:
                    yield event, json.loads(data)
                    self.cursor, event, data = cursor, "", ""


class Bot:
    """Plays every turn of its account."""

    def __init__(self, api: Api, *, pause: float = 0.0) -> None:
        self.api, self.pause, self.moves = api, pause, 0
        self.events = Events(api)
        self.results: dict[str, Json] = {}

    def run(self, until: set[str]) -> None:
        """Play until these matches are over, or forever if there are none."""
        self.events.start()
        while not until or not until <= self.results.keys():
            waiting = [self.events.received.get()]
            while not self.events.received.empty():  # everything that happened during the last moves
                waiting.append(self.events.received.get())
            self.handle(waiting)

    def handle(self, events: list[Json]) -> None:
        """Accept invitations, remember results and take all turns of these events with one request."""
        if any(event is None for event in events):
            for match in self.api.pages("/me/invitations"):
                self.accept(match["id"])
            self.take_turns("")
            return
        turns: dict[str, bool] = {}
        for event in events:
            if isinstance(event, Exception):
                raise event
            entry = event["entry"]
            turns[event["match"]] = event["my_turn"]
            if entry["type"] == "invited" and entry["seat"] == event["my_seat"]:
                self.accept(event["match"])
            for each in entry["then"]:
                if each["type"] == "match_end":
                    self.results[event["match"]] = each["result"]
        ids = [match for match, is_mine in turns.items() if is_mine]
        for start in range(0, len(ids), PAGE):
            self.take_turns("&ids=" + ",".join(ids[start : start + PAGE]))

    def take_turns(self, selected: str) -> None:
        """Read the matches in which it is our turn, with all that is needed to choose, and act in each."""
        path = f"/me/matches?my_turn=true&include=table,legal_moves&limit={PAGE}{selected}"
        for match in list(self.api.pages(path)):
            self.act(match)

    def act(self, match: Json) -> None:
        """Send the chosen action for the version that it was chosen for."""
        legal = match["legal_moves"]
        body = {"version": legal["version"], **choose(legal, match["table"])}
        answer = self.api.send("POST", f"/matches/{match['id']}/moves", body)
        self.moves += answer.is_success
        if answer.is_error and answer.json()["code"] not in OVERTAKEN:
            raise RuntimeError(f"{match['id']}: {answer.text}")
        time.sleep(self.pause)

    def accept(self, match_id: str) -> None:
        """Accept an invitation, unless it was withdrawn meanwhile."""
        self.api.send("POST", f"/matches/{match_id}/accept", {})


def main() -> None:
    """Read the arguments and play."""
    parser = argparse.ArgumentParser(description="A bot for Haggis.")
    parser.add_argument("site")
    parser.add_argument("--token", default="", help="the token of a bot; without it, the bot is a guest")
    parser.add_argument(
        "--against", metavar="LEVEL", help="start matches against an AI; stop when they are over"
    )
    parser.add_argument("--matches", type=int, default=1, help="how many of them")
    parser.add_argument("--rounds", type=int, default=1, help="their number of rounds")
    parser.add_argument("--pause", type=float, default=0.0, help="seconds to wait after each move")
    options = parser.parse_args()
    api = Api(options.site, options.token)
    started = set()
    if options.against:
        seats = [{"kind": "me"}, {"kind": "ai", "level": options.against}]
        body = {"ruleset": "classic", "rounds": options.rounds, "seats": seats}
        for _ in range(options.matches):
            started.add(api.send("POST", "/matches", body).raise_for_status().json()["id"])
    created, begun = api.requests, time.monotonic()
    bot = Bot(api, pause=options.pause)
    bot.run(until=started)
    seconds, sent = time.monotonic() - begun, api.requests - created
    print(f"finished {len(bot.results)} matches: {bot.moves} moves, {sent} requests in {seconds:.0f} s")  # noqa: T201


if __name__ == "__main__":
    main()
