"""Passing: a trick ends when every other player with cards has passed since the last play.

Passing never prevents a player from playing later in the same trick.
"""

from engine.rounds.position import Position
from engine.rounds.tricks import end_trick
from engine.rounds.turns import next_with_cards


def pass_turn(position: Position) -> Position:
    """Return the position after the player to act has passed on the current play."""
    passes = position.passes + 1
    if passes >= passes_that_end(position):
        return end_trick(position)
    return Position(
        table=position.table,
        hands=position.hands,
        captured=position.captured,
        pile=position.pile,
        current=position.current,
        winner=position.winner,
        below=position.below,
        passes=passes,
        to_act=next_with_cards(position.to_act, position.hands),
        award_due=False,
        out=position.out,
        opposing=position.opposing,
        captor=position.captor,
        ordinary=position.ordinary,
    )


def passes_that_end(position: Position) -> int:
    """Return how many passes end the trick: one by each player with cards except the winner."""
    with_cards = position.table.players - len(position.out)
    return with_cards - 1 if position.hands[position.winner] else with_cards
