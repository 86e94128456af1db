"""Act at the table: one request is one event, or a refusal that leaves no trace.

The match is read, the engine judges, and one write that holds only if nobody was first makes it so.
"""

from collections.abc import Mapping
from typing import Any, Final

from games.errors import Problem
from games.gateway.table import read_action
from games.matches.commit import Answer, RequestKey, commit_event
from games.matches.publish import publish
from games.matches.store import MatchRow, SeatRow, my_seat, read_match, shown_match
from games.models import Actor, MatchStatus, Player, SeatState
from games.selectors.table_form import table_form
from games.services.events import action_event

Body = Mapping[str, Any]
Form = dict[str, Any]

CREATED: Final = 201
# A bet may name any version of its round, so it is tried again if another action was first; a turn is not.
_BET_TRIES: Final = 8


def act(
    *,
    match_id: str,
    player: Player,
    body: Body,
    key: RequestKey | None = None,
    read: MatchRow | None = None,
) -> Form:
    """Play, pass, bet or award. Return the log entry and the table after it, as the player sees it.

    With a `key` the answer is stored with the event. `read` is the match, if it has just been read; it is
    judged first.
    """
    for _ in range(_BET_TRIES if body["type"] == "bet" else 1):
        row = read_match(match_id, player) if read is None else shown_match(read, player)
        read = None
        seat = _may_act(row, player, body)
        form = _try(row, player, seat, body, key)
        if form is not None:
            return form
    row = read_match(match_id, player)
    _may_act(row, player, body)  # says so if the clock was first, or somebody who ended the match
    raise Problem("stale_version", version=row.version)


def _may_act(row: MatchRow, player: Player, body: Body) -> SeatRow:
    """Return the player's seat, or refuse in the order that the API promises, up to what the rules decide."""
    seat = my_seat(row, player)
    if row.status != MatchStatus.ACTIVE:
        raise Problem("match_not_active")
    if seat.state == SeatState.CARETAKER:
        raise Problem("caretaker_playing")
    if not _is_current(row, body):
        raise Problem("stale_version", version=row.version)
    if _is_bound(row, seat, body) and row.deadline is not None and row.deadline <= row.now:
        raise Problem("deadline_passed", version=row.version)
    return seat


def _is_bound(row: MatchRow, seat: SeatRow, body: Body) -> bool:
    """Whether the deadline is that of this action: a bet out of turn has none."""
    return body["type"] != "bet" or seat.number == row.to_act


def _is_current(row: MatchRow, body: Body) -> bool:
    """Whether the action names the version of the table; for a bet, any version of the same round."""
    if body["type"] == "bet":
        first = row.round_first_version or 0
        return bool(first <= body["version"] <= row.version)
    return bool(body["version"] == row.version)


def _try(row: MatchRow, player: Player, seat: SeatRow, body: Body, key: RequestKey | None) -> Form | None:
    """Act on the table as it was read; return None if another writer was first."""
    outcome = row.table().act(seat.number, read_action(body), row.dealing)
    event = action_event(row, outcome, body["type"], seat=seat.number, by=Actor.PLAYER)
    form = {"move": event.entry, "match": table_form(event.after, player, outcome.table)}
    written = commit_event(
        row,
        event.after,
        event.entry,
        rounds=event.rounds,
        bets=event.bets,
        answer=None if key is None else Answer(key, CREATED, form),
        in_time=_is_bound(row, seat, body),
    )
    if not written:
        return None
    publish(event.after)
    return form
