"""What a greedy player watches of the others: how near they are to going out."""

from engine.views.round_view import RoundView


def fewest_opposing_cards(view: RoundView) -> int:
    """The size of the smallest hand among the opponents who still play."""
    return min(count for seat, count in enumerate(view.counts) if count and seat != view.seat)
