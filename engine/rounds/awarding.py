"""Awarding: the winner of a bombed trick of three chooses which opponent captures it, out or not."""

from engine.rounds.position import Position
from engine.rounds.tricks import capture


def award(position: Position, captor: int) -> Position:
    """The winner of the bombed trick gives it to an opponent."""
    return capture(position, captor)


def may_capture(position: Position) -> tuple[int, ...]:
    """The seats that a bombed trick may be given to: every opponent of its winner."""
    return tuple(seat for seat in range(position.table.players) if seat != position.winner)
