"""Choose who captures a bombed trick so that it does the least harm.

Any captor's points count the same against the mean of all opponents, so what matters is what they do for the
captor. The best choice is an opponent whose bet is decided anyway, then the one who has captured less, then
the one with more cards.
"""

from engine.rulesets.terms import BetSucceeds
from engine.scoring.captured_cards import points_of
from engine.views.round_view import RoundView


def choose_captor(view: RoundView) -> int:
    """Return the opponent who benefits least from the points."""
    card_points = view.rules.card_points

    def harm(seat: int) -> tuple[bool, int, int, int]:
        captured = points_of(card_points, view.captured[seat])
        return helps_a_bet(view, seat, captured), captured, -view.counts[seat], seat

    return min(view.awards, key=harm)


def helps_a_bet(view: RoundView, seat: int, captured: int) -> bool:
    """Return whether points could still win this seat a bet on points."""
    on_points = view.rules.bet_succeeds is BetSucceeds.SCORES_THE_BET
    return on_points and captured < (view.bets[seat] or 0)
