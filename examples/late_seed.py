"""Deals that only chance can have made: the seed is drawn after the anchor was shown, and the deals checked.

Nothing but the standard library, and the script that checks deals. Start the service (`make run`), then:
examples/late_seed.py [http://127.0.0.1:8000]
"""

import json
import secrets
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any, Final

Json = dict[str, Any]

CHECKER: Final = Path(__file__).parents[1] / "tools" / "verify_record.py"
SECONDS_FOR_A_ROUND: Final = 120


class Api:
    """The service, asked with a token."""

    def __init__(self, site: str) -> None:
        self._root = f"{site}/api/v1/"
        self._token = ""
        self._token = self.ask("POST", "auth/guest", {})["token"]

    def ask(self, method: str, path: str, body: Json | None = None) -> Json:
        """Send it, and read the answer."""
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._root + path, data, headers, method=method)  # noqa: S310 -- http
        with urllib.request.urlopen(request) as response:  # noqa: S310 -- the same
            answer: Json = json.load(response)
        return answer


def play(api: Api, match_id: str) -> None:
    """Play the cheapest cards that may be played, or pass, until the match is over."""
    until = time.monotonic() + SECONDS_FOR_A_ROUND
    while (table := api.ask("GET", f"matches/{match_id}"))["status"] == "active":
        if time.monotonic() > until:
            sys.exit("The match takes too long.")
        if not table["you"]["to_act"]:
            time.sleep(0.2)
            continue
        legal = api.ask("GET", f"matches/{match_id}/legal-moves")
        api.ask("POST", f"matches/{match_id}/moves", {"version": legal["version"], **choice(legal)})


def choice(legal: Json) -> Json:
    """What to do: the cheapest play of the first combination there is."""
    if legal["must_award"]:
        return {"type": "award", "to": legal["awards"][0]}
    if not legal["combinations"]:
        return {"type": "pass"}
    first = legal["combinations"][0]
    named = {name: first["combination"][name] for name in ("kind", "top", "width", "length")}
    return {"type": "play", "cards": first["cheapest"], "as": named}


def main() -> int:
    """Make a match, see its anchor, and only then draw a seed."""
    api = Api(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
    seats = [{"kind": "me"}, {"kind": "ai", "level": "easy"}]
    made = api.ask("POST", "matches", {"ruleset": "classic", "rounds": 1, "seats": seats, "hold": True})
    match_id, anchor = made["id"], made["anchor"]
    print(f"anchor {anchor}")  # noqa: T201 -- a program talks to whoever started it
    seed = secrets.token_urlsafe(16)
    print(f"seed   {seed}")  # noqa: T201 -- the same
    api.ask("POST", f"matches/{match_id}/start", {"client_seed": seed})
    play(api, match_id)
    record = api.ask("GET", f"matches/{match_id}/record")
    if record["anchor"] != anchor or record["client_seeds"][0] != seed:
        print("The record has another anchor, or another seed.")  # noqa: T201 -- the same
        return 1
    checking = [sys.executable, str(CHECKER), "-"]
    return subprocess.run(checking, input=json.dumps(record), text=True, check=False).returncode  # noqa: S603 -- written above


if __name__ == "__main__":
    sys.exit(main())
