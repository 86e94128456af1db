"""Claim due notices, check that they still apply, and format their contents."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models.functions import Now
from django.utils import dateformat, timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.core.errors import Problem
from games.identity.models import Player
from games.matches.models.log import Move, NoticeChannel, NoticeKind
from games.matches.models.match import MatchStatus, SeatState
from games.matches.queries import IN_PLAY
from games.matches.store import MatchRow, SeatRow, find_match
from games.notices.queries import find_notice
from games.notifications.models import Notice, NoticeAttempt, NoticeResult, Webhook
from games.notifications.notice_texts import NOTICE_KINDS, NOTICE_SUBJECTS, notice_path, notice_sentence

logger = logging.getLogger(__name__)

# How many attempts are stored for each player, and for how long.
MAX_STORED_ATTEMPTS: Final = 100
RETENTION: Final = timedelta(days=30)
DELETED_AT_ONCE: Final = 1000

_TURN_KINDS: Final = frozenset({NoticeKind.YOUR_TURN, NoticeKind.REMINDER})


def claim_notices(ways: Iterable[NoticeChannel], *, at_most: int, lease: timedelta) -> list[Notice]:
    """Claim up to `at_most` due notices of these channels.

    A claimed notice becomes due again when its lease expires, in case the sender dies. If nothing is due,
    this costs one small query.
    """
    due = Notice.objects.filter(due_at__lte=Now(), way__in=list(ways))
    if not due.exists():
        return []
    with transaction.atomic():
        locked = due.select_for_update(skip_locked=True, no_key=True).order_by("due_at")
        ids = list(locked.values_list("pk", flat=True)[:at_most])
        Notice.objects.filter(pk__in=ids).update(due_at=Now() + lease)
    claimed = Notice.objects.select_related("player").filter(pk__in=ids)
    return list(claimed.order_by("player_id", "way", "pk"))


def delete_notices(notices: Iterable[Notice]) -> None:
    """Delete notices, except those that have been replaced since they were claimed."""
    for notice in notices:
        _unchanged(notice).delete()


def retry_later(
    notice: Notice,
    delays: Sequence[timedelta],
    **changes: Any,  # noqa: ANN401 -- values of columns
) -> None:
    """Schedule the next attempt, or delete the notice if all delays are used up."""
    if notice.tried >= len(delays):
        logger.error("notice dropped after the last retry: player %s, %s", notice.player_id, notice.kind)
        delete_notices([notice])
        return
    _unchanged(notice).update(due_at=Now() + delays[notice.tried], tried=notice.tried + 1, **changes)


def retry_now(*, notice_id: int) -> None:
    """Send a pending notice with the next batch; raise 404 if it has been sent or dropped."""
    if not Notice.objects.filter(pk=notice_id).update(due_at=Now(), tried=0):
        raise Problem("not_found", "This notice has been sent, or no longer applies.")


def failure_result(notice: Notice, delays: Sequence[timedelta]) -> NoticeResult:
    """Return the result of a failed attempt: `retrying` unless all delays are used up."""
    return NoticeResult.FAILED if notice.tried >= len(delays) else NoticeResult.RETRYING


def record_attempts(
    notices: Iterable[Notice], result: NoticeResult, *, device: str = "", response: int | None = None
) -> None:
    """Store attempts to send notices of one player, and delete the oldest ones above the limit."""
    now = timezone.now()
    rows = [
        NoticeAttempt(
            player_id=each.player_id,
            kind=each.kind,
            channel=each.way,
            about=each.about,
            device=device,
            result=result,
            response=response,
            at=now,
        )
        for each in notices
    ]
    NoticeAttempt.objects.bulk_create(rows)
    for player_id in {row.player_id for row in rows}:
        stored = NoticeAttempt.objects.filter(player=player_id)
        latest = stored.order_by("-pk").values_list("pk", flat=True)
        for surplus in latest[MAX_STORED_ATTEMPTS : MAX_STORED_ATTEMPTS + 1]:
            stored.filter(pk__lte=surplus).delete()


def delete_old_attempts(*, now: datetime) -> int:
    """Delete a bounded number of old attempts, and return how many were deleted."""
    old = NoticeAttempt.objects.filter(at__lt=now - RETENTION).order_by("at")
    ids = list(old.values_list("pk", flat=True)[:DELETED_AT_ONCE])
    return NoticeAttempt.objects.filter(pk__in=ids).delete()[0]


def delete_all_notices(*, player_ids: Iterable[int]) -> None:
    """Delete the pending notices of players, and the attempts to send earlier ones."""
    ids = list(player_ids)
    Notice.objects.filter(player__in=ids).delete()
    NoticeAttempt.objects.filter(player__in=ids).delete()


def postpone(notices: Iterable[Notice], wait: timedelta) -> None:
    """Let notices wait for the limit of mails; then they are sent as one mail."""
    for notice in notices:
        _unchanged(notice).update(due_at=Now() + wait)


def _unchanged(notice: Notice) -> Any:  # noqa: ANN401 -- a query
    return Notice.objects.filter(pk=notice.pk, version=notice.version, due_at=notice.due_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeContent:
    """The data of a notification that still applies. It contains nothing that is hidden from spectators."""

    kind: NoticeKind
    about: str
    others: tuple[str, ...] = ()
    ruleset: str = ""
    deadline: datetime | None = None
    winners: tuple[str, ...] = ()
    scores: tuple[int, ...] = ()
    url: str = ""
    sentence: str = ""
    path: str = ""


def current_content(notice: Notice, player: Player) -> NoticeContent | None:
    """Return the content of a notice, or `None` if it no longer applies or the player opted out."""
    if notice.kind == NoticeKind.WEBHOOK_STOPPED:
        return _stopped_webhook_content(notice, player)
    if notice.kind == NoticeKind.TEST:
        return NoticeContent(kind=NoticeKind.TEST, about=notice.about)
    if notice.kind not in player.notifications.get(notice.way, ()):
        return None
    if notice.kind in NOTICE_KINDS:
        return _notice_content(notice)
    row = find_match(notice.about)
    seat = None if row is None else row.seat_held_by(player)
    if row is None or seat is None or not _still_applies(notice, row, seat):
        return None
    return _match_content(NoticeKind(notice.kind), row, seat)


def _notice_content(notice: Notice) -> NoticeContent | None:
    """Return the content of a notice about what happened apart from matches."""
    found = find_notice(notice.about)
    if found is None:
        return None
    kind = NoticeKind(notice.kind)
    return NoticeContent(
        kind=kind,
        about=notice.about,
        sentence=notice_sentence(kind, found.data),
        path=notice_path(kind, found.data),
    )


def _still_applies(notice: Notice, row: MatchRow, seat: SeatRow) -> bool:
    if notice.kind in _TURN_KINDS:
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
    """Return whether the seat has acted since, so that its player needs no reminder of this turn."""
    later = Move.objects.filter(match=notice.about, version__gt=notice.version, seat=seat.number)
    return later.exists()


def _match_content(kind: NoticeKind, row: MatchRow, seat: SeatRow) -> NoticeContent:
    names = [seat_name(each) for each in row.seats]
    result = row.result
    return NoticeContent(
        kind=kind,
        about=row.id,
        others=tuple(name for name, each in zip(names, row.seats, strict=True) if each is not seat),
        ruleset=row.ruleset,
        deadline=row.deadline,
        winners=() if result is None else tuple(names[number] for number in result["winners"]),
        scores=() if result is None else tuple(result["scores"]),
    )


_LEVELS: Final = {"random": _("random"), "easy": _("easy"), "medium": _("medium"), "hard": _("hard")}


def seat_name(seat: SeatRow) -> str:
    """Return the name of the player or AI of a seat."""
    if seat.username or not seat.level:
        return seat.username or gettext("an open seat")
    return gettext("AI ({level})").format(level=_LEVELS.get(seat.level, seat.level))


def _stopped_webhook_content(notice: Notice, player: Player) -> NoticeContent | None:
    webhook = Webhook.objects.filter(public_id=notice.about, player=player, active=False).first()
    if webhook is None or not webhook.stopped_because:
        return None
    return NoticeContent(kind=NoticeKind.WEBHOOK_STOPPED, about=webhook.public_id, url=webhook.url)


_SUBJECTS: Final = {
    NoticeKind.INVITATION: _("Invitation to a match of Haggis with {others}"),
    NoticeKind.YOUR_TURN: _("Your turn against {others}"),
    NoticeKind.REMINDER: _("Your time is running out against {others}"),
    NoticeKind.CARETAKER: _("An AI is playing for you against {others}"),
    NoticeKind.MATCH_END: _("Your match against {others} is over"),
    NoticeKind.WEBHOOK_STOPPED: _("One of your webhooks has been stopped"),
    NoticeKind.TEST: _("Notifications work on this device"),
    **NOTICE_SUBJECTS,
}


def format_subject(content: NoticeContent) -> str:
    """Return the subject line."""
    return _SUBJECTS[content.kind].format(others=join_names(content.others))


def format_deadline(content: NoticeContent, player: Player) -> str:
    """Return a clause with the deadline in the player's time zone, or an empty string."""
    if content.deadline is None:
        return ""
    local = content.deadline.astimezone(ZoneInfo(player.time_zone))
    # Translators: a format of Django's dates, see docs.djangoproject.com, template filter "date".
    deadline = dateformat.format(local, gettext("l d F, H:i"))
    clause = gettext("; you have until {deadline} ({time_zone})")
    return clause.format(deadline=deadline, time_zone=player.time_zone)


def format_result(content: NoticeContent) -> str:
    """Return the winners and the scores in words."""
    # Translators: between two scores, as in "254 to 180".
    scores = gettext(" to ").join(map(str, content.scores))
    if not content.winners:
        return gettext("nobody won, {scores}").format(scores=scores)
    won = ngettext("{winners} won, {scores}", "{winners} have won, {scores}", len(content.winners))
    return won.format(winners=join_names(content.winners), scores=scores)


def join_names(names: Iterable[str]) -> str:
    """Join names with commas and "and".

    >>> join_names(["Heather", "Bracken", "Thistle"])
    'Heather, Bracken and Thistle'
    """
    *rest, last = tuple(names) or (gettext("nobody"),)
    return gettext("{names} and {last}").format(names=", ".join(rest), last=last) if rest else last
