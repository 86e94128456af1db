"""Acting at the table: one request, one event, or a refusal that leaves no trace.

The match is read, the engine judges, and one write that holds only if nobody was first makes it so. A
request that is sent twice under one key has one effect and one answer.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from django.db import IntegrityError

from games.errors import Problem
from games.gateway.table import read_action
from games.models import Actor, Match, MatchStatus, Player, SeatState
from games.selectors.matches import MatchRow, SeatRow, my_seat, read_match, shown_match
from games.selectors.table_form import table_form
from games.services.announce import announce
from games.services.events import moved_on, write_outcome
from games.services.keyed import Answer, KeyedRequest, keep_answer, stored_answer

Body = Mapping[str, Any]

# A bet may name any version of its round, so it is tried again when another action was first; a turn is not.
_BET_TRIES: Final = 8


def act(
    *,
    match_id: str,
    player: Player,
    body: Body,
    request: KeyedRequest | None = None,
    read: MatchRow | None = None,
) -> Answer:
    """Play, pass, bet or award. The answer is the log entry and the table after it, as the player sees it.

    `read` is the match, if it has just been read; it is judged first.
    """
    with suppress(IntegrityError):  # a key of long ago may stand in the way; it is gone now
        return _once(match_id, player, body, request, read)
    try:
        return _once(match_id, player, body, request, None)
    except IntegrityError as clash:
        raise Problem("request_in_flight") from clash


def _once(
    match_id: str, player: Player, body: Body, request: KeyedRequest | None, read: MatchRow | None
) -> Answer:
    """Act, or give the answer again that was given to this request when it acted."""
    try:
        return _act(match_id, player, body, request, read)
    except (Problem, IntegrityError):
        answered = stored_answer(request) if request is not None else None
        if answered is None:
            raise
        return answered


def _act(
    match_id: str, player: Player, body: Body, request: KeyedRequest | None, read: MatchRow | None
) -> Answer:
    for _ in range(_BET_TRIES if body["type"] == "bet" else 1):
        row = read_match(match_id, player) if read is None else shown_match(read, player)
        read = None
        seat = _may_act(row, player, body)
        answer = _try(row, player, seat, body, request)
        if answer is not None:
            return answer
    row = read_match(match_id, player)
    _may_act(row, player, body)  # says so if it was the clock, or whoever ended the match, that was first
    raise Problem("stale_version", version=row.match.version)


def _may_act(row: MatchRow, player: Player, body: Body) -> SeatRow:
    """The player's seat; refused in the order that clients are promised, up to what the rules decide."""
    seat = my_seat(row, player)
    match = row.match
    if match.status != MatchStatus.ACTIVE:
        raise Problem("match_not_active")
    if seat.state == SeatState.CARETAKER:
        raise Problem("caretaker_playing")
    if not _is_current(match, body):
        raise Problem("stale_version", version=match.version)
    if _is_bound(match, seat, body) and match.deadline is not None and match.deadline <= row.now:
        raise Problem("deadline_passed", version=match.version)
    return seat


def _is_bound(match: Match, seat: SeatRow, body: Body) -> bool:
    """Whether the deadline is that of this action: a bet out of turn has none."""
    return body["type"] != "bet" or seat.number == match.to_act


def _is_current(match: Match, body: Body) -> bool:
    """Whether the version named is that of the table; for a bet, any of the same round."""
    if body["type"] == "bet":
        first = match.round_first_version or 0
        return bool(first <= body["version"] <= match.version)
    return bool(body["version"] == match.version)


def _try(
    row: MatchRow, player: Player, seat: SeatRow, body: Body, request: KeyedRequest | None
) -> Answer | None:
    """Act on the table as it was read; None when somebody was first."""
    outcome = row.table().act(seat.number, read_action(body), row.dealing)
    write, entry, after = write_outcome(
        row,
        outcome,
        body["type"],
        seat=seat.number,
        by=Actor.PLAYER,
        in_time=_is_bound(row.match, seat, body),
    )
    moved_on(row.match, write)
    answer = 201, {"move": entry, "match": table_form(after, player, outcome.table)}
    if request is not None:
        keep_answer(write, request, answer)
    if not write.commit():
        return None
    announce(row)
    return answer
