"""Format events as lines of text for a channel of Discord, in the language of the player.

The lines contain what a spectator may see. Names are escaped, and nobody is mentioned.
"""

import json
import re
import string
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext, gettext_lazy

from games.core.languages import speaking
from games.gateway.documents import LogEntry
from games.identity.models import Player
from games.matches.models.log import YOUR_TURN, EventType, Move, NoticeKind
from games.matches.models.match import MatchStatus
from games.matches.store import MatchRow, SeatRow, find_match
from games.notices.models import NoticeType, PlayerNotice
from games.notifications.models import Delivery
from games.notifications.notice_texts import notice_path, notice_sentence
from games.notifications.outbox import NoticeContent, format_deadline, format_result, join_names, seat_name

# What can be said in a line; the first type is sent if none is selected.
TYPES: Final = (YOUR_TURN, "match_end", *NoticeType.values)
_TURN_ENDING_TYPES: Final = (EventType.PLAY, EventType.PASS)
# The limit of Discord for one message.
MAX_LENGTH: Final = 2_000
# After this time a line is too old to be useful.
MAX_AGE: Final = timedelta(hours=1)
# How long Discord may ask to wait.
MAX_RETRY_AFTER: Final = timedelta(hours=1)
# Statuses that say that the address does not exist any more.
GONE: Final = frozenset({401, 403, 404, 410})

_PUNCTUATION: Final = re.compile(f"[{re.escape(string.punctuation)}]")
_LINES: Final[Mapping[str, Any]] = {
    YOUR_TURN: gettext_lazy("**{player}**: it is your turn against {others} ({ruleset}){deadline}."),
    "match_end": gettext_lazy("**{player}**: your match against {others} ({ruleset}) is over: {result}."),
}


def escape(text: str) -> str:
    r"""Escape what Discord would format, link or mention, and put the text on one line.

    >>> escape("@everyone *hi*\n<@1> https://x.example")
    '\\@everyone \\*hi\\* \\<\\@1\\> https\\:\\/\\/x\\.example'
    """
    return _PUNCTUATION.sub(r"\\\g<0>", " ".join(text.split()))


def build_body(
    player: Player, delivery: Delivery, entry: LogEntry | None, notice: PlayerNotice | None
) -> str | None:
    """Return the request body, or `None` for a turn that is over."""
    with speaking(player.language):
        if entry is not None:
            return _match_body(player, delivery)
        if notice is not None:
            return _notice_body(player, notice)
        return _dump(gettext("**{player}**: this is a test of Haggis.").format(player=_name_of(player)), "/")


def _match_body(player: Player, delivery: Delivery) -> str | None:
    row = find_match(delivery.match_id or "")
    if row is None or delivery.seat is None:
        return None
    if delivery.type == YOUR_TURN and not _is_same_turn(delivery, row):
        return None
    content = _content(row, delivery.seat, NoticeKind.YOUR_TURN)
    line = _LINES[delivery.type].format(
        player=_name_of(player),
        others=join_names(content.others),
        ruleset=escape(content.ruleset),
        deadline=format_deadline(content, player),
        result=format_result(content),
    )
    return _dump(line, f"/matches/{row.id}")


def _is_same_turn(delivery: Delivery, row: MatchRow) -> bool:
    """Return whether the turn that a delivery is about has not ended."""
    if row.status != MatchStatus.ACTIVE or row.to_act != delivery.seat:
        return False
    later = Move.objects.filter(match=row.id, version__gt=delivery.version or 0)
    return not later.filter(seat=delivery.seat, type__in=_TURN_ENDING_TYPES).exists()


def _content(row: MatchRow, number: int, kind: NoticeKind) -> NoticeContent:
    """Return what the lines say about a match, with names escaped."""
    display_names = dict(
        Player.objects.filter(pk__in=[seat.player_id for seat in row.seats if seat.player_id is not None])
        .exclude(display_name="")
        .values_list("pk", "display_name")
    )

    def name(seat: SeatRow) -> str:
        return escape(display_names.get(seat.player_id or 0) or seat_name(seat))

    names = [name(seat) for seat in row.seats]
    return NoticeContent(
        kind=kind,
        about=row.id,
        others=tuple(each for place, each in enumerate(names) if place != number),
        ruleset=row.ruleset,
        deadline=row.deadline,
        winners=() if row.result is None else tuple(names[each] for each in row.result["winners"]),
        scores=() if row.result is None else tuple(row.result["scores"]),
    )


def _notice_body(player: Player, notice: PlayerNotice) -> str:
    sentence = notice_sentence(NoticeKind(notice.type), notice.data)
    return _dump(f"**{_name_of(player)}**: {sentence}", notice_path(notice.type, notice.data))


def _name_of(player: Player) -> str:
    return escape(player.display_name or player.username)


def _dump(line: str, path: str) -> str:
    """Return the body of a message that mentions nobody: the line, shortened if needed, and the link.

    Discord shows no preview of a link in angle brackets.
    """
    link = f"<{settings.HAGGIS_SITE_ADDRESS}{path}>"
    body = {
        "content": f"{line[: MAX_LENGTH - len(link) - 1]} {link}",
        "allowed_mentions": {"parse": []},
    }
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False)
