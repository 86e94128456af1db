"""Whether what was to be told is still true and wanted when it is due, and what there is to say of it."""

from dataclasses import dataclass
from datetime import datetime

from games.matches.store import MatchRow, SeatRow, find_match
from games.models import MatchStatus, Move, Notice, NoticeKind, Player, SeatState, Webhook
from games.selectors.table_form import PLAYED

_TURNS = frozenset({NoticeKind.YOUR_TURN, NoticeKind.REMINDER})


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One thing that is true, with all that a message may say of it; it is known to every spectator."""

    kind: NoticeKind
    about: str
    others: tuple[str, ...] = ()
    ruleset: str = ""
    deadline: datetime | None = None
    winners: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    address: str = ""


def fact_of(notice: Notice, player: Player) -> Fact | None:
    """What there is to tell, None if it is not true any more or nobody wants to know."""
    if notice.kind == NoticeKind.WEBHOOK_STOPPED:
        return _stopped(notice, player)
    if notice.kind == NoticeKind.TEST:
        return Fact(kind=NoticeKind.TEST, about=notice.about)
    if notice.kind not in player.notifications.get(notice.way, ()):
        return None
    row = find_match(notice.about)
    seat = None if row is None else row.held_by(player)
    if row is None or seat is None or not _is_true(notice, row, seat):
        return None
    return _fact(NoticeKind(notice.kind), row, seat)


def _is_true(notice: Notice, row: MatchRow, seat: SeatRow) -> bool:
    if notice.kind in _TURNS:
        return (
            row.status == MatchStatus.ACTIVE
            and row.to_act == seat.number
            and seat.state == SeatState.PLAYING
            and not _acted_since(notice, seat)
        )
    if notice.kind == NoticeKind.CARETAKER:
        return row.status in PLAYED and seat.state == SeatState.CARETAKER
    if notice.kind == NoticeKind.INVITATION:
        return row.status == MatchStatus.OPEN and seat.state == SeatState.INVITED
    return row.status == MatchStatus.FINISHED


def _acted_since(notice: Notice, seat: SeatRow) -> bool:
    """Whether the seat has done anything since: then this is another turn, or its player is at the table."""
    later = Move.objects.filter(match=notice.about, version__gt=notice.version, seat=seat.number)
    return later.exists()


def _fact(kind: NoticeKind, row: MatchRow, seat: SeatRow) -> Fact:
    names = [_name(each) for each in row.seats]
    result = row.result or {"winners": [], "scores": []}
    return Fact(
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


def _stopped(notice: Notice, player: Player) -> Fact | None:
    webhook = Webhook.objects.filter(public_id=notice.about, player=player, active=False).first()
    if webhook is None or not webhook.stopped_because:
        return None
    return Fact(kind=NoticeKind.WEBHOOK_STOPPED, about=webhook.public_id, address=webhook.url)
