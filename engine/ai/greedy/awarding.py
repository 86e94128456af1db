"""Choose who captures a bombed trick: the opponent who captured less or, if equal, has more cards left."""

from engine.scoring.captured_cards import points_of
from engine.views.round_view import RoundView


def choose_captor(view: RoundView) -> int:
    """Return the opponent who benefits least from the points."""
    card_points = view.rules.card_points
    return min(
        view.awards, key=lambda seat: (points_of(card_points, view.captured[seat]), -view.counts[seat], seat)
    )
