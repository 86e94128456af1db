"""How the actions of a round are cut into lines: about one trick on each.

The cut is for readers. It looks only at who plays how many cards and who passes, so it works for a record
that is wrong, and it says nothing when the notation is read back.
"""

from collections.abc import Sequence
from typing import Final

from engine.cards.deck import HAND_CARDS
from engine.records.record import RecordedAction
from engine.rounds.actions import Pass, Play

_NOBODY: Final = -1


class _Cut:
    """How far the round has come: the cards left, who played last, how many passed since."""

    def __init__(self, players: int) -> None:
        """Everybody has a whole hand."""
        self._left = [HAND_CARDS] * players
        self._last = _NOBODY
        self._passes = 0

    def has_ended(self) -> bool:
        """Whether everybody else with cards has passed on the last play."""
        others = sum(1 for seat, left in enumerate(self._left) if left > 0 and seat != self._last)
        return self._last != _NOBODY and self._passes >= others

    def take(self, recorded: RecordedAction) -> None:
        """Go on by one action."""
        match recorded.action:
            case Play(cards=cards):
                self._left[recorded.seat] -= len(cards)
                self._last, self._passes = recorded.seat, 0
            case Pass():
                self._passes += 1
            case _:
                pass


def cut_into_tricks(actions: Sequence[RecordedAction], players: int) -> list[list[RecordedAction]]:
    """The actions trick by trick: a new one begins with the first play after the last trick has ended."""
    tricks: list[list[RecordedAction]] = []
    cut = _Cut(players)
    for recorded in actions:
        if not tricks or (isinstance(recorded.action, Play) and cut.has_ended()):
            tricks.append([])
        tricks[-1].append(recorded)
        cut.take(recorded)
    return tricks
