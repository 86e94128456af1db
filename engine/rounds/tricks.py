"""End a trick: decide who captures it and who leads the next one.

The winner captures the trick unless they won it with a bomb; then an opponent does. With two players that is
the other player. With three players, the winner chooses; in tournaments it is the player of the play just
below the bomb, or the player to the right of the winner if the bomb was led; in deluxe tournaments it is the
player of the last non-bomb, unless that is the winner. The winner leads the next trick; if they are out, the
next player to the left with cards does.
"""

from engine.combinations.kinds import FIRST_BOMB
from engine.combinations.plays import COMBINATION_AT, NO_PLAY
from engine.rounds.position import NOBODY, Position
from engine.rounds.turns import left_of, next_with_cards, right_of
from engine.rulesets.terms import BombCapture


def won_by_bomb(current: int) -> bool:
    """Return whether the play that won a trick is a bomb."""
    return current >> COMBINATION_AT >= FIRST_BOMB


def captor_of(position: Position) -> int:
    """Return who captures the trick, or `NOBODY` if the winner has to choose."""
    table, winner = position.table, position.winner
    if not won_by_bomb(position.current):
        return winner
    if table.players == 2:
        return left_of(winner, 2)
    if table.bomb_capture is BombCapture.WINNER_CHOOSES:
        return NOBODY
    if position.ordinary not in (NOBODY, winner):
        return position.ordinary
    return right_of(winner, table.players) if position.below == NOBODY else position.below


def end_trick(position: Position) -> Position:
    """Return the position with its trick ended: captured, or waiting for the winner's award."""
    captor = captor_of(position)
    if captor == NOBODY:
        return await_award(position)
    return capture(position, captor)


def await_award(position: Position) -> Position:
    """Return the position that waits for the winner of the bombed trick, out or not, to award it."""
    return Position(
        table=position.table,
        hands=position.hands,
        captured=position.captured,
        pile=position.pile,
        current=position.current,
        winner=position.winner,
        below=position.below,
        passes=position.passes,
        to_act=position.winner,
        award_due=True,
        out=position.out,
        opposing=position.opposing,
        captor=position.captor,
    )


def capture(position: Position, captor: int) -> Position:
    """Return the position after `captor` has captured the trick: a new trick is led, or the round is over."""
    captured = list(position.captured)
    captured[captor] |= position.pile
    over = position.all_but_one_out()
    return Position(
        table=position.table,
        hands=position.hands,
        captured=tuple(captured),
        pile=0,
        current=position.current if over else NO_PLAY,
        winner=position.winner,
        below=NOBODY,
        passes=0,
        to_act=NOBODY if over else leader_after(position),
        award_due=False,
        out=position.out,
        opposing=position.opposing,
        captor=captor,
    )


def leader_after(position: Position) -> int:
    """Return who leads the next trick."""
    winner = position.winner
    return winner if position.hands[winner] else next_with_cards(winner, position.hands)
