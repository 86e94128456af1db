"""Awarding: with three players, the winner of a bombed trick chooses the opponent (even one who is out)."""

from engine.rounds.position import Position
from engine.rounds.tricks import capture


def award(position: Position, captor: int) -> Position:
    """Return the position after the winner of the bombed trick has given it to an opponent."""
    return capture(position, captor)


def may_capture(position: Position) -> tuple[int, ...]:
    """Return the seats that a bombed trick may be given to: every opponent of its winner."""
    return tuple(seat for seat in range(position.table.players) if seat != position.winner)
