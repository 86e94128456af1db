"""Whom to give a bombed trick: the opponent who has captured less; of equals the one with more cards left."""

from engine.scoring.captured_cards import points_of
from engine.views.round_view import RoundView


def choose_captor(view: RoundView) -> int:
    """The opponent whom the points bring least."""
    card_points = view.rules.card_points
    return min(
        view.awards, key=lambda seat: (points_of(card_points, view.captured[seat]), -view.counts[seat], seat)
    )
