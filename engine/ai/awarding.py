"""Whom to give a bombed trick, where it hurts least.

Every point given is as far behind for all opponents' mean, so what matters is what a point does for its
captor: best to the opponent whose bet is decided anyway, then to the one who has captured less; of equals
to the one with more cards.
"""

from engine.rulesets.terms import BetSucceeds
from engine.scoring.captured_cards import points_of
from engine.views.round_view import RoundView


def choose_captor(view: RoundView) -> int:
    """The opponent whom the points bring least."""
    card_points = view.rules.card_points

    def harm(seat: int) -> tuple[bool, int, int, int]:
        captured = points_of(card_points, view.captured[seat])
        return helps_a_bet(view, seat, captured), captured, -view.counts[seat], seat

    return min(view.awards, key=harm)


def helps_a_bet(view: RoundView, seat: int, captured: int) -> bool:
    """Whether points could yet win this seat a bet on points."""
    on_points = view.rules.bet_succeeds is BetSucceeds.SCORES_THE_BET
    return on_points and captured < (view.bets[seat] or 0)
