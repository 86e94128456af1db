"""Tell the rest of the service, after the commit, that a match has a new version.

Subscribers are given ids, never contents. A message may be lost: everything is found again from the database.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from django.db import transaction

from games.matches.store import MatchRow


@dataclass(frozen=True, slots=True)
class MatchChanged:
    """A match has a new version. `wakes` says that a worker has to act next: an AI begins to think.

    `players` are those who hold its seats, taken or offered: their own event streams are concerned too.
    """

    match_id: str
    version: int
    wakes: bool
    players: tuple[int, ...] = ()


Subscriber = Callable[[MatchChanged], None]

_subscribers: Final[list[Subscriber]] = []


def subscribe(subscriber: Subscriber) -> None:
    """Call this function with every match that changed, after the commit."""
    if subscriber not in _subscribers:
        _subscribers.append(subscriber)


def publish(row: MatchRow, *, nudge: bool = True) -> MatchChanged:
    """Notify the subscribers once the running transaction, if any, is committed; return what has changed.

    A worker that goes on with the match itself has no other worker nudged.
    """
    wakes = row.wake_at is not None and (row.wake_at <= row.now or _is_automatic(row))
    players = tuple([seat.player_id for seat in row.seats if seat.player_id is not None])
    changed = MatchChanged(row.id, row.version, wakes=wakes, players=players)
    published = changed if nudge else replace(changed, wakes=False)
    transaction.on_commit(lambda: _notify(published), robust=True)
    return changed


def _is_automatic(row: MatchRow) -> bool:
    """Whether an AI is to act, which thinks before its time to answer has come."""
    return row.to_act is not None and row.seats[row.to_act].is_automatic


def _notify(changed: MatchChanged) -> None:
    for subscriber in _subscribers:
        subscriber(changed)
