"""Push messages as they are written: what, of which table, and where it leads; no cards in them."""

import json
from datetime import datetime
from typing import Final

from games.models import NoticeKind, Player
from games.services.notices.phrases import result, subject, until
from games.services.notices.truth import Fact

_LINES: Final = {
    NoticeKind.INVITATION: "By the rules of {ruleset}.",
    NoticeKind.YOUR_TURN: "By the rules of {ruleset}{until}.",
    NoticeKind.REMINDER: "It is still your turn{until}.",
    NoticeKind.CARETAKER: "You can take your seat back.",
    NoticeKind.MATCH_END: "{result}.",
    NoticeKind.TEST: "This device is told what you asked for.",
}
# Push services keep one message of a topic: 32 characters at most, of those that addresses may hold.
LONGEST_TOPIC: Final = 32
KEPT_FOR: Final = 24 * 3600
_PRESSING: Final = frozenset({NoticeKind.YOUR_TURN, NoticeKind.REMINDER})


def message_of(fact: Fact, player: Player) -> str:
    """What the service worker of the pages is told: `tag` is what a later message takes the place of."""
    body = _LINES[fact.kind].format(ruleset=fact.ruleset, until=until(fact, player), result=result(fact))
    path = "/account" if fact.kind == NoticeKind.TEST else f"/matches/{fact.about}"
    told = {"kind": fact.kind, "title": subject(fact), "body": body, "path": path, "tag": fact.about}
    return json.dumps(told, ensure_ascii=False)


def headers_of(fact: Fact, *, now: datetime, authorization: str) -> dict[str, str]:
    """What the push service is told of it: for how long it is worth delivering, and what it replaces."""
    left = KEPT_FOR
    if fact.deadline is not None:
        left = max(0, min(KEPT_FOR, int((fact.deadline - now).total_seconds())))
    return {
        "Authorization": authorization,
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(left),
        "Topic": fact.about[:LONGEST_TOPIC],
        "Urgency": "high" if fact.kind in _PRESSING else "normal",
    }
