"""The end of a trick: who captures it, and who leads the next.

A trick is captured by its winner, one won by a bomb by an opponent: the other of two players; of three the
one the winner chooses or, in tournaments, the player of the play just below the bomb, or to the right of
one who led it; in deluxe tournaments the player of the last play that is no bomb, unless that is the winner.
The winner leads next; if out, the first to the left who has cards.
"""

from engine.combinations.kinds import FIRST_BOMB
from engine.combinations.plays import COMBINATION_AT, NO_PLAY
from engine.rounds.position import NOBODY, Position
from engine.rounds.turns import left_of, next_with_cards, right_of
from engine.rulesets.terms import BombCapture


def won_by_bomb(current: int) -> bool:
    """Whether the play that won a trick is a bomb."""
    return current >> COMBINATION_AT >= FIRST_BOMB


def captor_of(position: Position) -> int:
    """Return who captures the trick, or `NOBODY` where the winner has to choose."""
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
    """End the trick that stands in `position`: it is captured, or its winner is to say by whom."""
    captor = captor_of(position)
    if captor == NOBODY:
        return await_award(position)
    return capture(position, captor)


def await_award(position: Position) -> Position:
    """Play waits until the winner of the bombed trick, out or not, has chosen who captures it."""
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
    """Give the trick to its captor; the next trick is led, or the round is over."""
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
    """Who leads the next trick."""
    winner = position.winner
    return winner if position.hands[winner] else next_with_cards(winner, position.hands)
