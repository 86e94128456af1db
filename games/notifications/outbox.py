"""Claim due notices, check that they still apply, and phrase them."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models.functions import Now

from games.identity.models import Player
from games.matches.models.log import Move, NoticeChannel, NoticeKind
from games.matches.models.match import MatchStatus, SeatState
from games.matches.queries import IN_PLAY
from games.matches.store import MatchRow, SeatRow, find_match
from games.notifications.models import Notice, Webhook

logger = logging.getLogger(__name__)


def claim_notices(ways: Iterable[NoticeChannel], *, at_most: int, lease: timedelta) -> list[Notice]:
    """Take what is due in these ways; what a dead sender had in hand is found again when its lease is over.

    When there is nothing to do it is one small read.
    """
    due = Notice.objects.filter(due_at__lte=Now(), way__in=list(ways))
    if not due.exists():
        return []
    with transaction.atomic():
        held = due.select_for_update(skip_locked=True, no_key=True).order_by("due_at")
        ids = list(held.values_list("pk", flat=True)[:at_most])
        Notice.objects.filter(pk__in=ids).update(due_at=Now() + lease)
    claimed = Notice.objects.select_related("player").filter(pk__in=ids)
    return list(claimed.order_by("player_id", "way", "pk"))


def delete_notices(notices: Iterable[Notice]) -> None:
    """Delete them, but what has been put in their place meanwhile."""
    for notice in notices:
        _unchanged(notice).delete()


def retry_later(notice: Notice, waits: Sequence[timedelta], **changes: Any) -> None:  # noqa: ANN401 -- of columns
    """Try again after the next of these waits; after the last of them, give it up."""
    if notice.tried >= len(waits):
        logger.error("a notice is given up: player %s, %s", notice.player_id, notice.kind)
        delete_notices([notice])
        return
    _unchanged(notice).update(due_at=Now() + waits[notice.tried], tried=notice.tried + 1, **changes)


def _unchanged(notice: Notice) -> Any:  # noqa: ANN401 -- a query
    return Notice.objects.filter(pk=notice.pk, version=notice.version, due_at=notice.due_at)


_TURNS = frozenset({NoticeKind.YOUR_TURN, NoticeKind.REMINDER})


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeContent:
    """One thing that is true, with all that a message may say of it; it is known to every spectator."""

    kind: NoticeKind
    about: str
    others: tuple[str, ...] = ()
    ruleset: str = ""
    deadline: datetime | None = None
    winners: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    address: str = ""


def current_content(notice: Notice, player: Player) -> NoticeContent | None:
    """What there is to tell, None if it is not true any more or nobody wants to know."""
    if notice.kind == NoticeKind.WEBHOOK_STOPPED:
        return _stopped(notice, player)
    if notice.kind == NoticeKind.TEST:
        return NoticeContent(kind=NoticeKind.TEST, about=notice.about)
    if notice.kind not in player.notifications.get(notice.way, ()):
        return None
    row = find_match(notice.about)
    seat = None if row is None else row.seat_held_by(player)
    if row is None or seat is None or not _still_applies(notice, row, seat):
        return None
    return _fact(NoticeKind(notice.kind), row, seat)


def _still_applies(notice: Notice, row: MatchRow, seat: SeatRow) -> bool:
    if notice.kind in _TURNS:
        return (
            row.status == MatchStatus.ACTIVE
            and row.to_act == seat.number
            and seat.state == SeatState.PLAYING
            and not _acted_since(notice, seat)
        )
    if notice.kind == NoticeKind.CARETAKER:
        return row.status in IN_PLAY and seat.state == SeatState.CARETAKER
    if notice.kind == NoticeKind.INVITATION:
        return row.status == MatchStatus.OPEN and seat.state == SeatState.INVITED
    return row.status == MatchStatus.FINISHED


def _acted_since(notice: Notice, seat: SeatRow) -> bool:
    """Whether the seat has done anything since: then this is another turn, or its player is at the table."""
    later = Move.objects.filter(match=notice.about, version__gt=notice.version, seat=seat.number)
    return later.exists()


def _fact(kind: NoticeKind, row: MatchRow, seat: SeatRow) -> NoticeContent:
    names = [_name(each) for each in row.seats]
    result = row.result or {"winners": [], "scores": []}
    return NoticeContent(
        kind=kind,
        about=row.id,
        others=tuple(name for name, each in zip(names, row.seats, strict=True) if each is not seat),
        ruleset=row.ruleset,
        deadline=row.deadline,
        winners=tuple(names[number] for number in result["winners"]),
        scores=tuple(result["scores"]),
    )


def _name(seat: SeatRow) -> str:
    return seat.username or (f"AI ({seat.level})" if seat.level else "whoever comes")


def _stopped(notice: Notice, player: Player) -> NoticeContent | None:
    webhook = Webhook.objects.filter(public_id=notice.about, player=player, active=False).first()
    if webhook is None or not webhook.stopped_because:
        return None
    return NoticeContent(kind=NoticeKind.WEBHOOK_STOPPED, about=webhook.public_id, address=webhook.url)


_SUBJECTS: Final = {
    NoticeKind.INVITATION: "{others} asks you to a match of Haggis",
    NoticeKind.YOUR_TURN: "Your turn against {others}",
    NoticeKind.REMINDER: "Your time is running out against {others}",
    NoticeKind.CARETAKER: "An AI plays for you against {others}",
    NoticeKind.MATCH_END: "Your match against {others} is over",
    NoticeKind.WEBHOOK_STOPPED: "An endpoint of yours has been stopped",
    NoticeKind.TEST: "Messages arrive here",
}


def subject(fact: NoticeContent) -> str:
    """A fact in one line."""
    return _SUBJECTS[fact.kind].format(others=join_names(fact.others))


def until(fact: NoticeContent, player: Player) -> str:
    """When the turn is over, by the player's own clock."""
    if fact.deadline is None:
        return ""
    here = fact.deadline.astimezone(ZoneInfo(player.time_zone))
    return f", until {here:%A %d %B, %H:%M} ({player.time_zone})"


def result(fact: NoticeContent) -> str:
    """Who won, and by what."""
    won = f"{join_names(fact.winners)} won" if fact.winners else "nobody won"
    return f"{won}, {' to '.join(map(str, fact.scores))}"


def join_names(names: Iterable[str]) -> str:
    """Names as they are said.

    >>> joined(["Heather", "Bracken", "Thistle"])
    'Heather, Bracken and Thistle'
    """
    *rest, last = tuple(names) or ("nobody",)
    return f"{', '.join(rest)} and {last}" if rest else last
