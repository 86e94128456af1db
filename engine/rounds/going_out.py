"""Going out: record the opponents' hand sizes when a player has played their last card."""


def largest_opposing_hand(seat: int, hands: tuple[int, ...]) -> int:
    """Return the size of the largest opponent's hand, including unplayed face cards."""
    return max([hand.bit_count() for other, hand in enumerate(hands) if other != seat])
