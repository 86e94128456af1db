"""Check whose turn it is and what is expected, refusing in the order documented for clients."""

from enum import StrEnum

from engine.combinations.plays import NO_PLAY
from engine.errors import Refused
from engine.rounds.actions import Award, Pass, Play
from engine.rounds.position import Position
from engine.rulebook import Clause


class Expects(StrEnum):
    """What the seat to act may do."""

    PLAY = "play"
    PLAY_OR_PASS = "play_or_pass"
    AWARD = "award"


def expected(position: Position) -> Expects | None:
    """Return what is expected of the seat to act, or None when the round is over."""
    if position.is_over():
        return None
    if position.award_due:
        return Expects.AWARD
    return Expects.PLAY if position.current == NO_PLAY else Expects.PLAY_OR_PASS


def check_turn(position: Position, seat: int, action: Play | Pass | Award) -> None:
    """Refuse an action that this seat may not take now."""
    if position.is_over():
        raise Refused("round_over", "This round is over.", rule=Clause.ROUND_OVER)
    if position.award_due and not isinstance(action, Award):
        detail = "First the winner of the bombed trick says who captures it."
        raise Refused("award_due", detail, rule=Clause.AWARD_BEFORE_PLAY)
    if position.to_act != seat:
        raise Refused("not_your_turn", "It is another player's turn.", rule=Clause.TURN_IN_ORDER)
