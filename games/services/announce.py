"""What follows a commit: whoever wants to know that a match has moved on is told here, and only here.

Listeners are given ids, never contents, and may fail or be lost: everything is found again from the database.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.db import transaction

from games.selectors.matches import MatchRow


@dataclass(frozen=True, slots=True)
class Moved:
    """A match has a new version. `wakes` says that the service itself has to act next: an AI begins to think.

    `players` are those who hold its seats, taken or offered: whose own streams it concerns.
    """

    match_id: str
    version: int
    wakes: bool
    players: tuple[int, ...] = ()


Listener = Callable[[Moved], None]

_listeners: Final[list[Listener]] = []


def listen(listener: Listener) -> None:
    """Have `listener` told of every match that moved on, after the commit."""
    if listener not in _listeners:
        _listeners.append(listener)


def announce(row: MatchRow) -> None:
    """Tell the listeners of a match that moved on, once the running transaction, if any, is committed."""
    match = row.match
    wakes = match.wake_at is not None and (match.wake_at <= row.now or _is_automatic(row))
    players = tuple(seat.player_id for seat in row.seats if seat.player_id is not None)
    moved = Moved(match.pk, match.version, wakes=wakes, players=players)
    transaction.on_commit(lambda: _tell(moved), robust=True)


def _is_automatic(row: MatchRow) -> bool:
    """Whether an AI is to act, which thinks before its time to answer has come."""
    return row.match.to_act is not None and row.seats[row.match.to_act].is_automatic


def _tell(moved: Moved) -> None:
    for listener in _listeners:
        listener(moved)
