"""Split the actions of a round into lines, about one trick per line.

The split is for readers only. It depends only on who plays how many cards and who passes, so it works for
invalid records too, and it is ignored when the notation is read.
"""

from collections.abc import Sequence
from typing import Final

from engine.cards.deck import HAND_CARDS
from engine.records.record import RecordedAction
from engine.rounds.actions import Pass, Play

_NOBODY: Final = -1


class _Progress:
    """The progress of a round: the cards left, who played last, and how many passed since."""

    def __init__(self, players: int) -> None:
        """Start with a full hand for everybody."""
        self._left = [HAND_CARDS] * players
        self._last = _NOBODY
        self._passes = 0

    def has_ended(self) -> bool:
        """Return whether everybody else with cards has passed on the last play."""
        others = sum(1 for seat, left in enumerate(self._left) if left > 0 and seat != self._last)
        return self._last != _NOBODY and self._passes >= others

    def advance(self, recorded: RecordedAction) -> None:
        """Advance by one action."""
        match recorded.action:
            case Play(cards=cards):
                self._left[recorded.seat] -= len(cards)
                self._last, self._passes = recorded.seat, 0
            case Pass():
                self._passes += 1
            case _:
                pass


def split_into_tricks(actions: Sequence[RecordedAction], players: int) -> list[list[RecordedAction]]:
    """Return the actions by trick: a new one begins with the first play after the last trick has ended."""
    tricks: list[list[RecordedAction]] = []
    progress = _Progress(players)
    for recorded in actions:
        if not tricks or (isinstance(recorded.action, Play) and progress.has_ended()):
            tricks.append([])
        tricks[-1].append(recorded)
        progress.advance(recorded)
    return tricks
