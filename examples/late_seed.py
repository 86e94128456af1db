"""Play a match whose deals are provably random: draw the client seed only after seeing the anchor.

Then verify the record. This needs nothing but the standard library and tools/verify_record.py. Start the
service (`make run`), then run examples/late_seed.py [http://127.0.0.1:8000].
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

VERIFIER: Final = Path(__file__).parents[1] / "tools" / "verify_record.py"
MATCH_TIMEOUT_SECONDS: Final = 120


class Api:
    """A client of the API with a token."""

    def __init__(self, site: str) -> None:
        self._root = f"{site}/api/v1/"
        self._token = ""
        self._token = self.send("POST", "auth/guest", {})["token"]

    def send(self, method: str, path: str, body: Json | None = None) -> Json:
        """Send a request and return the parsed response."""
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._root + path, data, headers, method=method)  # noqa: S310 -- http
        with urllib.request.urlopen(request) as response:  # noqa: S310 -- as above
            parsed: Json = json.load(response)
        return parsed


def play(api: Api, match_id: str) -> None:
    """Play the cheapest legal play, or pass, until the match is over."""
    deadline = time.monotonic() + MATCH_TIMEOUT_SECONDS
    while (table := api.send("GET", f"matches/{match_id}"))["status"] == "active":
        if time.monotonic() > deadline:
            sys.exit("The match takes too long.")
        if not table["you"]["to_act"]:
            time.sleep(0.2)
            continue
        legal = api.send("GET", f"matches/{match_id}/legal-moves")
        api.send("POST", f"matches/{match_id}/moves", {"version": legal["version"], **choose_move(legal)})


def choose_move(legal: Json) -> Json:
    """Return the cheapest play of the first combination, an award or a pass."""
    if legal["must_award"]:
        return {"type": "award", "to": legal["awards"][0]}
    if not legal["combinations"]:
        return {"type": "pass"}
    first = legal["combinations"][0]
    named = {name: first["combination"][name] for name in ("kind", "top", "width", "length")}
    return {"type": "play", "cards": first["cheapest"], "as": named}


def main() -> int:
    """Create a match, see its anchor, and only then draw a seed."""
    api = Api(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
    seats = [{"kind": "me"}, {"kind": "ai", "level": "easy"}]
    created = api.send("POST", "matches", {"ruleset": "classic", "rounds": 1, "seats": seats, "hold": True})
    match_id, anchor = created["id"], created["anchor"]
    print(f"anchor {anchor}")  # noqa: T201 -- a program prints its output
    seed = secrets.token_urlsafe(16)
    print(f"seed   {seed}")  # noqa: T201 -- as above
    api.send("POST", f"matches/{match_id}/start", {"client_seed": seed})
    play(api, match_id)
    record = api.send("GET", f"matches/{match_id}/record")
    if record["anchor"] != anchor or record["client_seeds"][0] != seed:
        print("The record has a different anchor or seed.")  # noqa: T201 -- as above
        return 1
    command = [sys.executable, str(VERIFIER), "-"]
    return subprocess.run(command, input=json.dumps(record), text=True, check=False).returncode  # noqa: S603 -- a fixed command


if __name__ == "__main__":
    sys.exit(main())
